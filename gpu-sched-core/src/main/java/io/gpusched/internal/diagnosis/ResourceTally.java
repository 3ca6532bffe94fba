package io.gpusched.internal.diagnosis;

import io.gpusched.decision.Amount;
import io.gpusched.decision.Amount.Quantity;
import io.gpusched.model.NamedAmounts;
import io.gpusched.model.Resources;
import java.util.ArrayList;
import java.util.List;

/** Adds up what nodes have of the resources that a pod asks for by name. */
final class ResourceTally {
    private final NamedAmounts asked;
    private final List<String> names;
    private final long[] sum;
    private final long[] most;

    /** By name: whether any of the nodes has too little. */
    private final boolean[] isShort;

    ResourceTally(NamedAmounts asked) {
        this.asked = asked;
        this.names = asked.names();
        this.sum = new long[names.size()];
        this.most = new long[names.size()];
        this.isShort = new boolean[names.size()];
    }

    /** Counts what one node has; sums beyond 2<sup>62</sup> stay there. */
    void add(NamedAmounts amounts) {
        for (int i = 0; i < sum.length; i++) {
            long amount = amounts.amount(names.get(i));
            sum[i] = amount > Resources.MAX_SUM - sum[i] ? Resources.MAX_SUM : sum[i] + amount;
            most[i] = Math.max(most[i], amount);
            isShort[i] |= amount < asked.amount(names.get(i));
        }
    }

    /** Returns the amounts given, and after them those of which any node has too little, by name. */
    List<Amount> amounts(Amount... first) {
        List<Amount> amounts = new ArrayList<>(List.of(first));
        for (int i = 0; i < sum.length; i++) {
            if (isShort[i]) {
                String name = names.get(i);
                amounts.add(new Amount(Quantity.RESOURCE, asked.amount(name), sum[i], most[i], name));
            }
        }
        return amounts;
    }
}
