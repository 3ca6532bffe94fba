package io.gpusched.model.partition;

import java.util.stream.IntStream;

/** How many more partitions of one name a device has room for. Immutable. */
final class PartitionCounts {
    private final PartitionWords words;

    /** By name: how many of its profiles an empty device has room for. */
    private final int[] alone;

    PartitionCounts(PartitionWords words) {
        this.words = words;
        this.alone = IntStream.range(0, words.names.size())
                .map(name -> counted(0, name, ""))
                .toArray();
    }

    /** How many more of the profiles of a name fit, at most, one after the other, if the node is in a mode; empty for any. */
    int of(long used, int name, String nodeMode) {
        return used == 0 && nodeMode.isEmpty() ? alone[name] : counted(used, name, nodeMode);
    }

    private int counted(long used, int name, String nodeMode) {
        // profiles of one name differ in mode alone, so that the first place that fits is never regretted but for its
        // mode
        int[] order = words.placesOf[name];
        PartitionRest rest = new PartitionRest(words, used);
        int most = 0;
        for (int i = 0; i < order.length; i++) {
            String asked = words.profile(order[i]).nodeMode();
            boolean goes = nodeMode.isEmpty() || asked.isEmpty() || asked.equals(nodeMode);
            if (goes && rest.fits(order[i])) {
                String mode = words.profile(order[i]).mode();
                most = Math.max(most, greedily(used, order, i, mode));
                if (mode.isEmpty()) {
                    return most;
                }
            }
        }
        return most;
    }

    private int greedily(long used, int[] order, int from, String mode) {
        int count = 0;
        long now = used;
        PartitionRest rest = new PartitionRest(words, now);
        for (int i = from; i < order.length; i++) {
            int place = order[i];
            while (words.profile(place).mode().equals(mode) && rest.fits(place)) {
                now += words.word[place];
                count++;
                rest = new PartitionRest(words, now);
            }
        }
        return count;
    }
}
