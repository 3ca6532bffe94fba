package io.gpusched.internal.partition;

/**
 * What a state of a device leaves, worked out once to look at many places: O(profiles) to make, O(counted names) for each place.
 * Where tenants share places each look is that of {@link PartitionWords#fits}.
 */
public final class PartitionRest {
    private final PartitionWords words;
    private final long used;
    private final int mode;
    private final int nodeMode;

    /** By counted name: what is left of it. */
    private final long[] left;

    PartitionRest(PartitionWords words, long used) {
        this.words = words;
        this.used = used;
        left = words.totals.clone();
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

    /** The mode that the node is in because of what is held, counted from 1; 0 for any. */
    int nodeMode() {
        return nodeMode;
    }

    /** Returns whether there is room for one more tenant at a place. */
    public boolean fits(int place) {
        if (words.hasShared()) {
            return words.fits(used, place);
        }
        int profile = words.profileOf[place];
        if ((used & words.mask[place]) != 0
                || PartitionWords.differ(mode, words.modes[profile])
                || PartitionWords.differ(nodeMode, words.nodeModes[profile])
                || words.instances(used, profile) >= words.profile(place).max()) {
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
