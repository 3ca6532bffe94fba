package io.gpusched.cli.look;

import io.gpusched.model.ContainerGrant;
import io.gpusched.model.GpuGrant;
import io.gpusched.model.Placement;
import java.util.ArrayList;
import java.util.List;

/** What a pod holds of GPUs, in words. */
final class Held {
    private Held() {}

    /** Returns whether a pod holds any GPU. */
    static boolean any(Placement placement) {
        return placement.containers().stream().anyMatch(grant -> !(grant.gpus() instanceof GpuGrant.None));
    }

    /**
     * Returns what a pod holds.
     *
     * @param countsOnly whether only the number of GPUs is known
     */
    static String words(Placement placement, boolean countsOnly) {
        List<String> words = new ArrayList<>();
        int whole = 0;
        List<Integer> indexes = new ArrayList<>();
        for (ContainerGrant grant : placement.containers()) {
            if (grant.gpus() instanceof GpuGrant.Whole one) {
                whole += one.gpus().size();
                indexes.addAll(one.gpus());
            } else if (!(grant.gpus() instanceof GpuGrant.None)) {
                words.add(grant.gpus().toString());
            }
        }
        if (whole > 0) {
            words.add(0, gpus(whole) + (countsOnly ? "" : " " + indexes));
        }
        return words.isEmpty() ? "no GPU" : String.join(", ", words);
    }

    static String gpus(int count) {
        return count + (count == 1 ? " GPU" : " GPUs");
    }
}
