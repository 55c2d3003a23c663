//! Which members of a list have changed since they were last written.

/// Members by their places, each once.
#[derive(Default)]
pub(super) struct Changed {
    list: Vec<u32>,
    /// A bit for each member.
    is_listed: Vec<u64>,
}

impl Changed {
    pub(super) fn add(&mut self, idx: u32) {
        let (word, bit) = (idx as usize / 64, 1 << (idx % 64));
        if word >= self.is_listed.len() {
            self.is_listed.resize(word + 1, 0);
        }
        if self.is_listed[word] & bit == 0 {
            self.is_listed[word] |= bit;
            self.list.push(idx);
        }
    }

    /// All of them, in order; from now on none has changed.
    pub(super) fn take(&mut self) -> Vec<u32> {
        let mut taken = std::mem::take(&mut self.list);
        for idx in &taken {
            self.is_listed[*idx as usize / 64] = 0;
        }
        taken.sort_unstable();
        taken
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_member_is_listed_once() {
        let mut changed = Changed::default();
        for idx in [70, 3, 70, 2, 3] {
            changed.add(idx);
        }
        assert_eq!(changed.take(), [2, 3, 70]);
        changed.add(3);
        assert_eq!(changed.take(), [3]);
        assert!(changed.take().is_empty());
    }
}
