package io.gpusched.claim;

import io.gpusched.model.Node;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The devices that some nodes reach, numbered, with the counters that they share.
 *
 * <p>A counter is a column of whole numbers: all amounts of a column are divided by their greatest common divisor, so that
 * bytes by the gigabyte fit a {@code long}. Nothing beyond 2^63 of such units can be told apart, far above what Kubernetes
 * lets a quantity say.
 */
final class Units {
    /** A counter of a pool. */
    record Column(String driver, String pool, String set, String counter, DeviceAmount free) {}

    /** What one node reaches. */
    static final class View {
        final Node node;
        final boolean hasNodeOperations;
        final List<Pool> pools;
        /** Devices in the order in which they are searched. */
        final int[] order;

        View(Node node, boolean hasNodeOperations, List<Pool> pools, int[] order) {
            this.node = node;
            this.hasNodeOperations = hasNodeOperations;
            this.pools = pools;
            this.order = order;
        }

        private @Nullable BitSet reached;

        /** Returns the devices that can be reached from the node. */
        BitSet reached(Units units) {
            BitSet known = reached;
            if (known == null) {
                known = new BitSet();
                for (int d : order) {
                    Unit unit = units.all.get(d);
                    known.set(
                            d, !(unit.slice.scope() instanceof NodeScope.PerDevice) || Pool.reaches(unit.device, node));
                }
                reached = known;
            }
            return known;
        }
    }

    final List<Unit> all = new ArrayList<>();
    final List<View> views = new ArrayList<>();
    final List<Column> columns = new ArrayList<>();
    /** What is free of each column, in its own unit. */
    long[] free = {};
    /** Which columns count the same thing: counters of one name of one driver. */
    int[] kindOf = {};

    /** Sets of counters, for the groups of the devices on them. */
    int sets;
    /** The groups that devices in use leave on each set; null: no device is on it. */
    final List<GroupState> setGroups = new ArrayList<>();

    private final Map<String, Integer> groupNumbers = new HashMap<>();
    private final Map<DeviceId, Unit> byId = new HashMap<>();
    /** What each device takes of its columns. */
    private final List<BigInteger[]> taken = new ArrayList<>();

    private final Map<String, PoolColumns> poolColumns = new HashMap<>();
    private final DevicesInUse inUse;
    private final Set<ClaimFeature> features;

    /** The groups of the devices on a set of counters: none yet, none of them has groups, or what they have in common. */
    record GroupState(boolean hasMembers, boolean isWithout, BitSet common) {
        static final GroupState NONE = new GroupState(false, false, new BitSet());

        boolean admits(BitSet groups) {
            return !hasMembers || (groups.isEmpty() ? isWithout : !isWithout && common.intersects(groups));
        }

        GroupState with(BitSet groups) {
            if (!hasMembers) {
                return new GroupState(true, groups.isEmpty(), groups);
            }
            if (isWithout || groups.isEmpty()) {
                return this;
            }
            BitSet both = (BitSet) common.clone();
            both.and(groups);
            return new GroupState(true, false, both);
        }
    }

    private static final class PoolColumns {
        private final Map<String, Map<String, Integer>> columns = new HashMap<>();
        private final Map<String, Integer> sets = new HashMap<>();
        private boolean isOverdrawn;

        /** Returns the columns of a set by counter; a pool that is usable has all that its devices draw on. */
        Map<String, Integer> columns(String set) {
            return Objects.requireNonNull(columns.get(set), set);
        }

        int set(String name) {
            return Objects.requireNonNull(sets.get(name), name);
        }
    }

    Units(List<ResourceSlice> slices, DevicesInUse inUse, Set<ClaimFeature> features, List<ClaimNode> nodes) {
        this.inUse = inUse;
        this.features = features;
        Pool.Source source = new Pool.Source(slices, features);
        for (ClaimNode node : nodes) {
            List<Pool> pools = source.reachedFrom(node.node());
            views.add(new View(node.node(), node.hasNodeOperations(), pools, number(pools)));
        }
        scale();
    }

    private int[] number(List<Pool> pools) {
        List<Integer> order = new ArrayList<>();
        for (Pool pool : pools) {
            if (pool.state() == Pool.State.USABLE) {
                PoolColumns known = poolColumns.computeIfAbsent(pool.toString(), name -> columnsOf(pool));
                for (ResourceSlice slice : pool.slices()) {
                    for (Device device : slice.devices()) {
                        order.add(byId.computeIfAbsent(slice.idOf(device), id -> unit(slice, device, known)).index);
                    }
                }
            }
        }
        return order.stream().mapToInt(Integer::intValue).toArray();
    }

    private Unit unit(ResourceSlice slice, Device device, PoolColumns known) {
        boolean sharing = features.contains(ClaimFeature.CONSUMABLE_CAPACITY);
        Unit unit = new Unit(all.size(), slice, device, inUse, sharing);
        unit.isPoolOverdrawn = known.isOverdrawn;
        Map<Integer, BigInteger> drawn = new LinkedHashMap<>();
        if (features.contains(ClaimFeature.PARTITIONABLE_DEVICES)) {
            List<Integer> drawnSets = new ArrayList<>();
            List<BitSet> groups = new ArrayList<>();
            for (Device.CounterUse use : device.consumes()) {
                drawnSets.add(known.set(use.counterSet()));
                groups.add(numbers(use.compatibilityGroups()));
                Map<String, Integer> numbers = known.columns(use.counterSet());
                use.counters()
                        .forEach((name, amount) -> drawn.merge(
                                Objects.requireNonNull(numbers.get(name), name), amount.billionths(), BigInteger::add));
            }
            unit.columns = drawn.keySet().stream().mapToInt(Integer::intValue).toArray();
            unit.sets = drawnSets.stream().mapToInt(Integer::intValue).toArray();
            unit.groups = groups.toArray(BitSet[]::new);
        }
        all.add(unit);
        taken.add(drawn.values().toArray(BigInteger[]::new));
        return unit;
    }

    private BitSet numbers(Set<String> names) {
        BitSet numbers = new BitSet();
        names.forEach(name -> numbers.set(groupNumbers.computeIfAbsent(name, key -> groupNumbers.size())));
        return numbers;
    }

    private PoolColumns columnsOf(Pool pool) {
        PoolColumns known = new PoolColumns();
        Map<String, Map<String, DeviceAmount>> left = new TreeMap<>();
        pool.counters().forEach((set, counters) -> left.put(set, new TreeMap<>(counters)));
        Map<String, GroupState> groups = new HashMap<>();
        List<ResourceSlice> everywhere = new ArrayList<>(pool.slices());
        everywhere.addAll(pool.elsewhere());
        for (ResourceSlice slice : everywhere) {
            for (Device device : slice.devices()) {
                if (inUse.uses(slice.idOf(device))) {
                    for (Device.CounterUse use : device.consumes()) {
                        Map<String, DeviceAmount> counters = left.getOrDefault(use.counterSet(), Map.of());
                        use.counters()
                                .forEach((name, amount) ->
                                        counters.computeIfPresent(name, (key, rest) -> rest.minus(amount)));
                        groups.merge(
                                use.counterSet(),
                                GroupState.NONE.with(numbers(use.compatibilityGroups())),
                                (had, one) -> had.with(one.common()));
                    }
                }
            }
        }
        left.forEach((set, counters) -> {
            known.sets.put(set, sets++);
            setGroups.add(groups.getOrDefault(set, GroupState.NONE));
            Map<String, Integer> numbers = known.columns.computeIfAbsent(set, name -> new HashMap<>());
            counters.forEach((name, rest) -> {
                numbers.put(name, columns.size());
                columns.add(new Column(pool.driver(), pool.name(), set, name, rest));
                known.isOverdrawn |= rest.isNegative();
            });
        });
        return known;
    }

    /** Gives counters of one name one unit, and devices what they take in it. */
    private void scale() {
        Map<String, Integer> kinds = new HashMap<>();
        kindOf = new int[columns.size()];
        for (int c = 0; c < kindOf.length; c++) {
            Column column = columns.get(c);
            kindOf[c] = kinds.computeIfAbsent(column.driver() + "/" + column.counter(), name -> kinds.size());
        }
        List<Scale> scales = Stream.generate(Scale::new).limit(kinds.size()).toList();
        for (int c = 0; c < kindOf.length; c++) {
            scales.get(kindOf[c]).add(columns.get(c).free().billionths());
        }
        for (Unit unit : all) {
            for (int i = 0; i < unit.columns.length; i++) {
                scales.get(kindOf[unit.columns[i]]).add(taken.get(unit.index)[i]);
            }
        }
        free = new long[columns.size()];
        for (int c = 0; c < free.length; c++) {
            free[c] = scales.get(kindOf[c]).of(columns.get(c).free().billionths());
        }
        for (Unit unit : all) {
            unit.amounts = new long[unit.columns.length];
            for (int i = 0; i < unit.amounts.length; i++) {
                int c = unit.columns[i];
                long amount = scales.get(kindOf[c]).of(taken.get(unit.index)[i]);
                unit.amounts[i] = Math.min(amount, Math.max(0, free[c]) + 1);
            }
        }
    }

    /** The unit of counters of one name: the greatest common divisor of their amounts; few of them differ. */
    private static final class Scale {
        private static final BigInteger MOST = BigInteger.valueOf(Long.MAX_VALUE - 1);

        private final Set<BigInteger> different = new HashSet<>();
        private final Map<BigInteger, Long> scaled = new HashMap<>();
        private BigInteger divisor = BigInteger.ZERO;

        void add(BigInteger amount) {
            if (different.add(amount)) {
                divisor = divisor.gcd(amount);
            }
        }

        /** Returns in this unit an amount that was added. */
        long of(BigInteger amount) {
            return scaled.computeIfAbsent(amount, this::divided);
        }

        private long divided(BigInteger amount) {
            return amount.divide(divisor.max(BigInteger.ONE))
                    .min(MOST)
                    .max(MOST.negate())
                    .longValueExact();
        }
    }
}
