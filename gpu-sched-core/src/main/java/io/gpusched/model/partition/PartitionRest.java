package io.gpusched.model.partition;

/**
 * What a state of a device leaves, worked out once to look at many places: O(profiles) to make, O(counted names) for each profile,
 * O(1) for each place. Not thread-safe.
 */
final class PartitionRest {
    private static final byte UNKNOWN = 0;
    private static final byte OPEN = 1;
    private static final byte CLOSED = 2;

    private final PartitionWords words;
    private final long used;
    private final int mode;
    private final int nodeMode;

    /** By counted name: what is left of it. */
    private final long[] left;

    /** By profile: whether one more may be there, once that was asked. */
    private final byte[] open;

    PartitionRest(PartitionWords words, long used) {
        this.words = words;
        this.used = used;
        left = words.totals.clone();
        open = new byte[words.counters.length];
        int mostMode = 0;
        int mostNodeMode = 0;
        for (int p = 0; used != 0 && p < words.counters.length; p++) {
            int instances = words.instances(used, p);
            if (instances > 0) {
                mostMode = Math.max(mostMode, words.modes[p]);
                mostNodeMode = Math.max(mostNodeMode, words.nodeModes[p]);
                for (int c = 0; c < left.length; c++) {
                    left[c] -= words.counters[p][c] * instances;
                }
            }
        }
        mode = mostMode;
        nodeMode = mostNodeMode;
    }

    /** Returns whether there is room for one more instance at a place. */
    boolean fits(int place) {
        return (used & words.mask[place]) == 0 && isOpen(words.profileOf[place]);
    }

    /** Whether there is room for one more of a profile, at any of its places. */
    boolean hasRoom(int profile) {
        return isOpen(profile) && words.hasFreeStart(used, profile);
    }

    /** Whether what is counted leaves room for one more of a profile, wherever it may lie. */
    private boolean isOpen(int profile) {
        if (open[profile] == UNKNOWN) {
            open[profile] = isOpenNow(profile) ? OPEN : CLOSED;
        }
        return open[profile] == OPEN;
    }

    private boolean isOpenNow(int profile) {
        if (PartitionWords.differ(mode, words.modes[profile])
                || PartitionWords.differ(nodeMode, words.nodeModes[profile])
                || words.instances(used, profile) >= words.max(profile)) {
            return false;
        }
        for (int c = 0; c < left.length; c++) {
            if (words.counters[profile][c] > left[c]) {
                return false;
            }
        }
        return true;
    }
}
