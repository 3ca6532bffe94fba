package io.gpusched.model.partition;

import io.gpusched.check.Checks;
import io.gpusched.model.amount.NamedAmounts;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * How a device can be cut into hardware partitions.
 *
 * <p>A set of partitions is legal on one device if each lies at one of its profile's starts, no two overlap on the grid, of no
 * profile there are more than its maximum, what all take together is no more than the totals, name by name, and all are of
 * one mode.
 *
 * <p>As made, a device is cut on demand: an idle one may be given away whole, shared or cut; the last partition that is released
 * makes it idle again. With {@link #withAlwaysCut} it can be had in partitions only: of one that an administrator has cut, the
 * profiles and starts are those that are there, and where one of several layouts may be chosen while nothing is held (as NVIDIA's
 * mig-parted does), each layout is a {@linkplain PartitionProfile#mode mode}.
 *
 * <p>Immutable and thread-safe; equal if all it states is.
 */
public final class PartitionGeometry {
    /** The greatest width of a grid. */
    public static final int MAX_GRID_UNITS = 32;

    private static final int MOST_NAMES = 30;

    /** The geometry of devices that cannot be cut. */
    public static final PartitionGeometry NONE = new PartitionGeometry("none", 0, NamedAmounts.NONE, List.of(), false);

    private final String name;
    private final int gridUnits;
    private final NamedAmounts totals;
    private final List<PartitionProfile> profiles;
    private final boolean alwaysCut;
    private final int hash;
    private final PartitionTable table;

    private PartitionGeometry(
            String name, int gridUnits, NamedAmounts totals, List<PartitionProfile> profiles, boolean alwaysCut) {
        this.name = name;
        this.gridUnits = gridUnits;
        this.totals = totals;
        this.profiles = profiles;
        this.alwaysCut = alwaysCut;
        this.hash = Objects.hash(name, gridUnits, totals, profiles, alwaysCut);
        this.table = new PartitionTable(name, gridUnits, totals, profiles);
    }

    /**
     * Returns a geometry of devices that are cut on demand.
     *
     * @param name what it is called in messages, not blank
     * @param gridUnits the width of the grid, 0..32
     * @param totals what a device has of what profiles count by name
     * @param profiles the profiles; one name may occur in several modes
     * @throws IllegalArgumentException if there is no profile, one reaches beyond the grid or takes more than the totals, two have
     *     the same name and mode, or the same name and only one a mode, there are more than 30 names, or the states of a device are too many to be told apart in 62 bits
     */
    public static PartitionGeometry of(
            String name, int gridUnits, NamedAmounts totals, List<PartitionProfile> profiles) {
        Checks.noNulls("profiles", profiles);
        Checks.notBlank("partition geometry", "name", name);
        Objects.requireNonNull(totals, "totals");
        String what = "partition geometry \"" + name + "\"";
        Checks.inRange(what, "gridUnits", gridUnits, 0, MAX_GRID_UNITS);
        List<PartitionProfile> copy = List.copyOf(profiles);
        Checks.inRange(what, "number of profiles", copy.size(), 1, 255);
        Map<String, Set<String>> modes = new HashMap<>();
        for (PartitionProfile profile : copy) {
            int end = profile.starts().get(profile.starts().size() - 1) + profile.size();
            Checks.inRange(what + ", profile \"" + profile.name() + "\"", "end of its last place", end, 0, gridUnits);
            profile.counters().firstAbove(totals).ifPresent(tooMuch -> {
                throw new IllegalArgumentException(what + ", profile \"" + profile.name() + "\": " + tooMuch
                        + " must be in 0.." + totals.amount(tooMuch) + " (what the device has), got "
                        + profile.counters().amount(tooMuch));
            });
            Set<String> known = modes.computeIfAbsent(profile.name(), key -> new HashSet<>());
            if (!known.add(profile.mode()) || known.size() > 1 && known.contains("")) {
                throw new IllegalArgumentException(what + ": two profiles are called \"" + profile.name()
                        + "\", got modes " + new TreeSet<>(known) + "\nMaybe each belongs to a mode of its own.");
            }
        }
        PartitionGeometry geometry = new PartitionGeometry(name, gridUnits, totals, copy, false);
        Checks.inRange(what, "number of profile names", geometry.names().size(), 1, MOST_NAMES);
        return geometry;
    }

    /** Returns this geometry, for devices that can be had in partitions only, or whole and shared as well. */
    public PartitionGeometry withAlwaysCut(boolean value) {
        return new PartitionGeometry(name, gridUnits, totals, profiles, value);
    }

    /** Returns what it is called in messages. */
    public String name() {
        return name;
    }

    /** Returns the width of the grid. */
    public int gridUnits() {
        return gridUnits;
    }

    /** Returns what a device has of what profiles count by name. */
    public NamedAmounts totals() {
        return totals;
    }

    /** Returns the profiles, in the order given. */
    public List<PartitionProfile> profiles() {
        return profiles;
    }

    /** Returns the names of the profiles, ascending, each once. */
    public Set<String> names() {
        Set<String> names = new TreeSet<>();
        profiles.forEach(profile -> names.add(profile.name()));
        return names;
    }

    /** Returns whether it cuts devices at all. */
    public boolean isNone() {
        return profiles.isEmpty();
    }

    /** Returns whether its devices can be had in partitions only. */
    public boolean isAlwaysCut() {
        return alwaysCut;
    }

    /** Returns the places of a device, and what a set of partitions that are held leaves room for; no places for {@link #NONE}. */
    public PartitionTable table() {
        return table;
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return this == other
                || other instanceof PartitionGeometry that
                        && hash == that.hash
                        && alwaysCut == that.alwaysCut
                        && gridUnits == that.gridUnits
                        && name.equals(that.name)
                        && totals.equals(that.totals)
                        && profiles.equals(that.profiles);
    }

    @Override
    public int hashCode() {
        return hash;
    }

    @Override
    public String toString() {
        return isNone() ? "no partitions" : name + " " + names() + (alwaysCut ? ", always cut" : "");
    }
}
