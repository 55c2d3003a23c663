/* Lets the system refuse what a program asks of it: loaded before the C
 * library, it fails the STRIKE_NTHth STRIKE_CALL on a file below STRIKE_FOLDER,
 * and all later ones if STRIKE_LASTS is 1. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

static atomic_int n_asked;

static int strikes(const char *call, const char *path) {
  const char *wanted = getenv("STRIKE_CALL");
  const char *folder = getenv("STRIKE_FOLDER");
  const char *nth = getenv("STRIKE_NTH");
  const char *lasts = getenv("STRIKE_LASTS");
  if (!wanted || !folder || !nth || !lasts || strcmp(wanted, call) != 0 ||
      strncmp(path, folder, strlen(folder)) != 0)
    return 0;
  int asked = atomic_fetch_add(&n_asked, 1) + 1;
  int is_struck = asked == atoi(nth) || (asked > atoi(nth) && *lasts == '1');
  if (is_struck)
    errno = strcmp(call, "write") == 0 ? ENOSPC : EIO;
  return is_struck;
}

static int strikes_file(const char *call, int fd) {
  char link[64], path[4096];
  snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  int saved = errno;
  ssize_t len = readlink(link, path, sizeof path - 1);
  errno = saved;
  if (len < 0)
    return 0;
  path[len] = 0;
  return strikes(call, path);
}

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

int fsync(int fd) { return strikes_file("fsync", fd) ? -1 : REAL(fsync)(fd); }

int fdatasync(int fd) {
  return strikes_file("fsync", fd) ? -1 : REAL(fdatasync)(fd);
}

ssize_t write(int fd, const void *bytes, size_t n) {
  return strikes_file("write", fd) ? -1 : REAL(write)(fd, bytes, n);
}

ssize_t pwrite(int fd, const void *bytes, size_t n, off_t at) {
  return strikes_file("write", fd) ? -1 : REAL(pwrite)(fd, bytes, n, at);
}

ssize_t pwrite64(int fd, const void *bytes, size_t n, off64_t at) {
  return strikes_file("write", fd) ? -1 : REAL(pwrite64)(fd, bytes, n, at);
}

/* Names may be relative: of two, one is in the folder if the other is. */
int rename(const char *from, const char *to) {
  char path[4096];
  int saved = errno;
  const char *absolute = realpath(from, path) ? path : from;
  errno = saved;
  return strikes("rename", absolute) ? -1 : REAL(rename)(from, to);
}
