package io.gpusched.simulator.mig;

import java.util.List;

/**
 * What was accepted in one order of arrival.
 *
 * @param counted how many pods arrived after the warm-up
 * @param accepted how many of them each rule accepted; the last rule is the library's
 * @param repacked how many could be accepted if pods could be moved at any time
 * @param bound the part that could be if all came and went as on average
 */
record MigOrder(int counted, List<Integer> accepted, int repacked, double bound) {
    /** Copies the list. */
    MigOrder {
        accepted = List.copyOf(accepted);
    }

    /** How much more of the pods, in points, the library accepted than this rule. */
    double gain(int rule) {
        return 100.0 * (accepted.get(accepted.size() - 1) - accepted.get(rule)) / counted;
    }
}
