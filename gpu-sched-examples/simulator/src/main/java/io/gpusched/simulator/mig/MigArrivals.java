package io.gpusched.simulator.mig;

import java.util.SplittableRandom;

/**
 * Pods that arrive at random times and run for random times (both exponential), each for one partition.
 *
 * @param profile by pod: the profile it asks for
 * @param at when it arrives; a mean running time is 1
 * @param end when it ends if it is accepted
 * @param warmUp how many pods come before counting begins
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record MigArrivals(int[] profile, double[] at, double[] end, int warmUp) {
    /** Draws pods that ask for {@code load} times the units that all GPUs have, counted after two mean running times. */
    static MigArrivals draw(SliceModel model, double[] mix, int gpus, double load, int pods, long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        double rate = rate(model, mix, gpus, load);
        int[] profile = new int[pods];
        double[] at = new double[pods];
        double[] end = new double[pods];
        double now = 0;
        for (int i = 0; i < pods; i++) {
            now -= Math.log(1 - random.nextDouble()) / rate;
            at[i] = now;
            end[i] = now - Math.log(1 - random.nextDouble());
            profile[i] = draw(mix, random.nextDouble());
        }
        return new MigArrivals(profile, at, end, (int) Math.min(pods / 3.0, 2 * rate));
    }

    /** How many pods come in a mean running time, on average. */
    static double rate(SliceModel model, double[] mix, int gpus, double load) {
        double units = 0;
        for (int p = 0; p < mix.length; p++) {
            units += mix[p] * model.profiles.get(p).size();
        }
        return load * gpus * model.gridUnits / units;
    }

    private static int draw(double[] mix, double number) {
        double left = number;
        for (int p = 0; p < mix.length - 1; p++) {
            if (left < mix[p]) {
                return p;
            }
            left -= mix[p];
        }
        return mix.length - 1;
    }

    int pods() {
        return profile.length;
    }
}
