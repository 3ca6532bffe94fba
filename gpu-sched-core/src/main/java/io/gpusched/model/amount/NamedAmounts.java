package io.gpusched.model.amount;

import io.gpusched.check.Checks;
import io.gpusched.check.ResourceNames;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.LongBinaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Whole amounts of resources by name, such as {@code ephemeral-storage} in bytes, {@code hugepages-2Mi} in bytes,
 * {@code rdma/hca} and {@code example.com/nic} in pieces. What is not named amounts to 0, and 0 is the same as not named.
 *
 * <p>Names are Kubernetes' qualified names: 1 to 63 characters that begin and end with a letter or digit, with letters,
 * digits, {@code -}, {@code _} and {@code .} between; before them, if anything, a lower-case DNS subdomain of at most 253
 * characters and a slash. {@code cpu}, {@code memory} and {@code pods} have fields of their own and are no names here.
 * Amounts are 0..2<sup>62</sup>.
 *
 * <p>Operations cost O(names). Immutable and thread-safe; equal if all amounts are.
 */
public final class NamedAmounts {
    /** The greatest amount, also of a sum over many nodes or pods. */
    public static final long MAX_SUM = 1L << 62;

    private static final long MIB = 1L << 20;
    private static final long GIB = 1L << 30;
    private static final String[] NO_NAMES = {};
    private static final long[] NO_AMOUNTS = {};

    /** Nothing at all; what has no amounts is always this object. */
    public static final NamedAmounts NONE = new NamedAmounts(NO_NAMES, NO_AMOUNTS);

    /** Ascending. */
    private final String[] names;

    /** Of each name, above 0. */
    private final long[] amounts;

    private NamedAmounts(String[] names, long[] amounts) {
        this.names = names;
        this.amounts = amounts;
    }

    /**
     * Returns these amounts.
     *
     * @throws IllegalArgumentException if a name is none, or an amount is out of range
     */
    public static NamedAmounts of(Map<String, Long> byName) {
        Checks.noNulls("byName", byName);
        TreeMap<String, Long> sorted = new TreeMap<>(byName);
        String[] names = new String[sorted.size()];
        long[] amounts = new long[names.length];
        int size = 0;
        for (Map.Entry<String, Long> entry : sorted.entrySet()) {
            String name = ResourceNames.require(entry.getKey());
            long amount = Checks.inRange("resources", name, entry.getValue(), 0, MAX_SUM);
            if (amount > 0) {
                names[size] = name;
                amounts[size++] = amount;
            }
        }
        return of(names, amounts, size);
    }

    private static NamedAmounts of(String[] names, long[] amounts, int size) {
        return size == 0 ? NONE : new NamedAmounts(Arrays.copyOf(names, size), Arrays.copyOf(amounts, size));
    }

    /**
     * Returns these with one amount replaced.
     *
     * @throws IllegalArgumentException if the name is none, or the amount is out of range
     */
    public NamedAmounts with(String name, long amount) {
        Objects.requireNonNull(name, "name");
        Map<String, Long> changed = new TreeMap<>(asMap());
        changed.put(name, amount);
        return of(changed);
    }

    /** Returns whether nothing is named. */
    public boolean isEmpty() {
        return names.length == 0;
    }

    /** Returns the names with an amount above 0, ascending. */
    public List<String> names() {
        return List.of(names);
    }

    /** Returns an amount; 0 if it is not named. */
    public long amount(String name) {
        Objects.requireNonNull(name, "name");
        int at = Arrays.binarySearch(names, name);
        return at < 0 ? 0 : amounts[at];
    }

    /** Returns the amounts above 0 by name, names ascending. */
    public Map<String, Long> asMap() {
        Map<String, Long> map = new LinkedHashMap<>();
        for (int i = 0; i < names.length; i++) {
            map.put(names[i], amounts[i]);
        }
        return Collections.unmodifiableMap(map);
    }

    /**
     * Returns the sums.
     *
     * @throws IllegalArgumentException if one exceeds 2<sup>62</sup>
     */
    public NamedAmounts plus(NamedAmounts other) {
        Objects.requireNonNull(other, "other");
        return other.isEmpty() ? this : isEmpty() ? other : merged(other, Long::sum);
    }

    /**
     * Returns the differences.
     *
     * @throws IllegalArgumentException if one would be below 0
     */
    public NamedAmounts minus(NamedAmounts other) {
        Objects.requireNonNull(other, "other");
        if (other.isEmpty()) {
            return this;
        }
        String above = other.above(this);
        if (above != null) {
            throw new IllegalArgumentException("resources: what is taken of " + above + " must be in 0.."
                    + amount(above) + ", got " + other.amount(above));
        }
        return merged(other, (mine, theirs) -> mine - theirs);
    }

    /** Returns the greater amount of each. */
    public NamedAmounts max(NamedAmounts other) {
        Objects.requireNonNull(other, "other");
        return other.isEmpty() ? this : isEmpty() ? other : merged(other, Math::max);
    }

    /** Returns the lesser amount of each. */
    public NamedAmounts min(NamedAmounts other) {
        Objects.requireNonNull(other, "other");
        return other.isEmpty() || isEmpty() ? NONE : merged(other, Math::min);
    }

    private NamedAmounts merged(NamedAmounts other, LongBinaryOperator operator) {
        String[] all = new String[names.length + other.names.length];
        long[] results = new long[all.length];
        int size = 0;
        int mine = 0;
        int theirs = 0;
        while (mine < names.length || theirs < other.names.length) {
            int order = order(mine, other, theirs);
            String name = order <= 0 ? names[mine] : other.names[theirs];
            long result =
                    operator.applyAsLong(order <= 0 ? amounts[mine++] : 0, order >= 0 ? other.amounts[theirs++] : 0);
            if (result < 0 || result > MAX_SUM) {
                String got = result < 0 ? Long.toUnsignedString(result) : Long.toString(result);
                throw new IllegalArgumentException(
                        "resources: sum of " + name + " must be in 0.." + MAX_SUM + ", got " + got);
            }
            if (result > 0) {
                all[size] = name;
                results[size++] = result;
            }
        }
        return of(all, results, size);
    }

    /** Below 0 if the next name is mine, above if it is theirs, 0 if it is both. */
    private int order(int mine, NamedAmounts other, int theirs) {
        if (mine == names.length || theirs == other.names.length) {
            return mine == names.length ? 1 : -1;
        }
        return names[mine].compareTo(other.names[theirs]);
    }

    /** Returns whether each amount is at most that of the other. */
    public boolean fitsIn(NamedAmounts other) {
        Objects.requireNonNull(other, "other");
        return isEmpty() || above(other) == null;
    }

    /** Returns the first name with a greater amount than in the other; empty if there is none. */
    public Optional<String> firstAbove(NamedAmounts other) {
        Objects.requireNonNull(other, "other");
        return Optional.ofNullable(above(other));
    }

    private @Nullable String above(NamedAmounts other) {
        int theirs = 0;
        for (int i = 0; i < names.length; i++) {
            while (theirs < other.names.length && other.names[theirs].compareTo(names[i]) < 0) {
                theirs++;
            }
            boolean named = theirs < other.names.length && other.names[theirs].equals(names[i]);
            if (amounts[i] > (named ? other.amounts[theirs] : 0)) {
                return names[i];
            }
        }
        return null;
    }

    /** Returns how many times these amounts, at least one of them above 0, go into the other. */
    public long timesIn(NamedAmounts other) {
        Objects.requireNonNull(other, "other");
        long times = Long.MAX_VALUE;
        for (int i = 0; i < names.length; i++) {
            times = Math.min(times, other.amount(names[i]) / amounts[i]);
        }
        return times;
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return this == other
                || other instanceof NamedAmounts that
                        && Arrays.equals(names, that.names)
                        && Arrays.equals(amounts, that.amounts);
    }

    @Override
    public int hashCode() {
        return 31 * Arrays.hashCode(names) + Arrays.hashCode(amounts);
    }

    /** Returns the amounts as in {@code 1 example.com/nic, 4 GiB hugepages-2Mi, 2 rdma/hca}; empty if there are none. */
    @Override
    public String toString() {
        List<String> parts = new ArrayList<>();
        for (int i = 0; i < names.length; i++) {
            parts.add((isBytes(names[i]) ? bytes(amounts[i]) : Long.toString(amounts[i])) + " " + names[i]);
        }
        return String.join(", ", parts);
    }

    private static boolean isBytes(String name) {
        return name.equals("ephemeral-storage") || name.startsWith("hugepages-");
    }

    /** Whole GiB and MiB are said as such. */
    private static String bytes(long amount) {
        return amount % GIB == 0
                ? amount / GIB + " GiB"
                : amount % MIB == 0 ? amount / MIB + " MiB" : amount + " bytes";
    }
}
