package io.gpusched.internal.diagnosis;

import io.gpusched.decision.Amount;
import io.gpusched.decision.Amount.Quantity;
import io.gpusched.model.Resources;
import io.gpusched.model.amount.NamedAmounts;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** Adds up what nodes have of the resources that a pod asks for by name. */
final class ResourceTally {
    private final List<String> names;
    private final long[] wanted;
    private final long[] sum;
    private final long[] most;

    /** How many nodes were counted, and by name how many of them have enough. */
    private int nodes;

    private final int[] enough;

    ResourceTally(NamedAmounts asked) {
        this.names = asked.names();
        this.wanted = names.stream().mapToLong(asked::amount).toArray();
        this.sum = new long[names.size()];
        this.most = new long[names.size()];
        this.enough = new int[names.size()];
    }

    /** Counts what one node has, whose names are looked up among those asked for; sums beyond 2<sup>62</sup> stay there. */
    void add(NamedAmounts amounts) {
        nodes++;
        for (String name : amounts.isEmpty() ? List.<String>of() : amounts.names()) {
            int i = Collections.binarySearch(names, name);
            if (i >= 0) {
                long amount = amounts.amount(name);
                sum[i] = amount > Resources.MAX_SUM - sum[i] ? Resources.MAX_SUM : sum[i] + amount;
                most[i] = Math.max(most[i], amount);
                enough[i] += amount >= wanted[i] ? 1 : 0;
            }
        }
    }

    /** Returns the amounts given, and after them the amounts that any node has too little of, by name. */
    List<Amount> amounts(Amount... first) {
        List<Amount> amounts = new ArrayList<>(List.of(first));
        for (int i = 0; i < sum.length; i++) {
            if (enough[i] < nodes) {
                String name = names.get(i);
                amounts.add(new Amount(Quantity.RESOURCE, wanted[i], sum[i], most[i], name));
            }
        }
        return amounts;
    }
}
