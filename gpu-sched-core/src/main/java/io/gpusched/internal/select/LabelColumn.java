package io.gpusched.internal.select;

import io.gpusched.workload.NodeRequirement;
import io.gpusched.workload.NodeRequirement.Operator;
import it.unimi.dsi.fastutil.ints.IntArrayList;
import it.unimi.dsi.fastutil.ints.IntOpenHashSet;
import java.util.Arrays;
import java.util.function.IntPredicate;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;

/**
 * The value of one label for each node, by the node's number: a small code for each value, so that a requirement is tested by
 * a look at two arrays and not at the labels of a node, which are far away in memory. Not thread-safe.
 */
final class LabelColumn {
    /** The code of nodes without the label. */
    static final int ABSENT = 0;

    private static final int FEW_VALUES = 4;

    /** By number of the node. */
    private int[] codes = new int[16];

    /** By code: what the value is as a whole number, if it is one. */
    private long[] numbers = new long[16];

    private boolean[] areNumbers = new boolean[16];

    /** Codes of values that no node has any more. */
    private final IntArrayList free = new IntArrayList();

    private int nextCode = ABSENT + 1;

    /** Returns the code of a value that is new; null if it is no whole number. */
    int newCode(@Nullable Long number) {
        int code = free.isEmpty() ? nextCode++ : free.popInt();
        if (code >= numbers.length) {
            numbers = Arrays.copyOf(numbers, 2 * code);
            areNumbers = Arrays.copyOf(areNumbers, 2 * code);
        }
        areNumbers[code] = number != null;
        numbers[code] = number == null ? 0 : number;
        return code;
    }

    /** Forgets the code of a value that no node has any more. */
    void free(int code) {
        free.push(code);
    }

    void set(int node, int code) {
        if (node >= codes.length) {
            codes = Arrays.copyOf(codes, Math.max(2 * codes.length, node + 1));
        }
        codes[node] = code;
    }

    /**
     * Returns a test of nodes, by number, for a requirement on this label.
     *
     * @param codeOf the code of a value, {@link #ABSENT} if no node has it
     */
    IntPredicate test(NodeRequirement requirement, ToIntFunction<String> codeOf) {
        int[] all = codes;
        return switch (requirement.operator()) {
            case IN -> in(requirement, codeOf);
            case NOT_IN -> in(requirement, codeOf).negate();
            case EXISTS -> node -> all[node] != ABSENT;
            case DOES_NOT_EXIST -> node -> all[node] == ABSENT;
            case GT, LT -> compare(requirement);
        };
    }

    private IntPredicate in(NodeRequirement requirement, ToIntFunction<String> codeOf) {
        int[] all = codes;
        int[] wanted = requirement.values().stream()
                .mapToInt(codeOf)
                .filter(code -> code != ABSENT)
                .toArray();
        if (wanted.length == 1) {
            int only = wanted[0];
            return node -> all[node] == only;
        }
        if (wanted.length > FEW_VALUES) {
            IntOpenHashSet set = new IntOpenHashSet(wanted);
            return node -> set.contains(all[node]);
        }
        return node -> contains(wanted, all[node]);
    }

    private static boolean contains(int[] wanted, int code) {
        for (int each : wanted) {
            if (each == code) {
                return true;
            }
        }
        return false;
    }

    private IntPredicate compare(NodeRequirement requirement) {
        int[] all = codes;
        long bound = Long.parseLong(requirement.values().get(0));
        boolean above = requirement.operator() == Operator.GT;
        return node -> {
            int code = all[node];
            return areNumbers[code] && (above ? numbers[code] > bound : numbers[code] < bound);
        };
    }
}
