package io.gpusched.model.partition;

import io.gpusched.model.amount.NamedAmounts;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The places of a geometry, each a profile at one of its starts, and the states of a device, each a word that says which of them
 * are taken, with what each state leaves room for.
 *
 * <p>Words of sets that go together add up, so taking is {@code +} and returning is {@code -}; 0 is a device of which nothing is
 * held. Immutable but for what is worked out once; thread-safe.
 */
public final class PartitionTable {
    /** The number of {@linkplain #level levels}. */
    public static final int LEVELS = 42;

    private final List<PartitionProfile> profiles;
    private final PartitionWords words;

    private final PartitionCounts counts;
    private final boolean nodeModes;
    private volatile @Nullable PartitionStates states;
    private volatile @Nullable PartitionWorth worth;

    /** Made of the parts of a geometry that were checked. */
    PartitionTable(String name, int gridUnits, NamedAmounts totals, List<PartitionProfile> profiles) {
        this.profiles = profiles;
        this.words = new PartitionWords(name, gridUnits, totals, profiles);
        this.counts = new PartitionCounts(words);
        this.nodeModes =
                profiles.stream().anyMatch(profile -> !profile.nodeMode().isEmpty());
    }

    /** Returns the number of places. */
    public int places() {
        return words.places();
    }

    /** Returns the profile of a place. */
    public PartitionProfile profile(int place) {
        return words.profile(place);
    }

    /** Returns the first unit of a place. */
    public int start(int place) {
        return words.start[place];
    }

    /** Returns the names of the profiles, ascending. */
    public List<String> names() {
        return words.names;
    }

    /** Returns the number of a name, or -1. */
    public int name(String profile) {
        Objects.requireNonNull(profile, "profile");
        for (int i = 0; i < words.names.size(); i++) {
            if (words.names.get(i).equals(profile)) {
                return i;
            }
        }
        return -1;
    }

    /** Returns the number of the name of a place's profile. */
    int nameOf(int place) {
        return words.nameOf[place];
    }

    /** Returns the places of the profiles of a name; to be read only. */
    public int[] placesOf(int name) {
        return words.placesOf[name];
    }

    /** Returns the place of this profile at this start in this mode, or -1. */
    public int find(String profile, int start, String mode) {
        Objects.requireNonNull(mode, "mode");
        int name = name(profile);
        for (int place : name < 0 ? new int[0] : words.placesOf[name]) {
            if (words.start[place] == start && profile(place).mode().equals(mode)) {
                return place;
            }
        }
        return -1;
    }

    /** Returns the word of one instance at a place. */
    public long word(int place) {
        return words.word[place];
    }

    /** Returns whether there is room for one more instance at a place. */
    public boolean fits(long used, int place) {
        return words.fits(used, place);
    }

    /** Returns of each of some places whether there is room for one more instance: cheaper than to ask for one after the other. */
    public boolean[] fit(long used, int[] places) {
        Objects.requireNonNull(places, "places");
        PartitionRest rest = new PartitionRest(words, used);
        boolean[] fit = new boolean[places.length];
        for (int i = 0; i < fit.length; i++) {
            fit[i] = rest.fits(places[i]);
        }
        return fit;
    }

    /** Returns about how many steps it takes to say of so many places of one state whether there is room. */
    public long stepsToFit(int places) {
        return words.stepsToFit(places);
    }

    /** Returns whether two legal sets are legal together. */
    public boolean goTogether(long one, long other) {
        return words.goTogether(one, other);
    }

    /** Returns the compute that partitions hold, in milli. */
    public int computeMillis(long used) {
        int sum = 0;
        for (int p = 0; used != 0 && p < profiles.size(); p++) {
            sum += words.instances(used, p) * profiles.get(p).computeMillis();
        }
        return sum;
    }

    /** Returns the memory that partitions hold, in MiB. */
    public long memoryMib(long used) {
        long sum = 0;
        for (int p = 0; used != 0 && p < profiles.size(); p++) {
            sum += words.instances(used, p) * profiles.get(p).memoryMib();
        }
        return sum;
    }

    /** Returns the number of instances. */
    public int instances(long used) {
        return words.instances(used);
    }

    /** Returns the units of the grid that are taken, as a mask. */
    long units(long used) {
        return words.units(used);
    }

    /** Returns the mode that the node must be in because of what is held, or nothing for any. */
    public String nodeMode(long used) {
        for (int p = 0; used != 0 && p < profiles.size(); p++) {
            if (!profiles.get(p).nodeMode().isEmpty() && words.instances(used, p) > 0) {
                return profiles.get(p).nodeMode();
            }
        }
        return "";
    }

    /** Returns whether any profile asks for a mode of the node. */
    public boolean hasNodeModes() {
        return nodeModes;
    }

    /** Returns the names of the profiles that fit once more, as a mask. */
    int capability(long used) {
        return states().capability(used);
    }

    /** Returns whether one more of the profiles of a name fits. */
    public boolean hasRoom(long used, int name) {
        return states().hasRoom(used, name);
    }

    /** Returns the level of a state: the more still fits, the higher; {@code 0..}{@link #LEVELS}{@code -1}. */
    public int level(long used) {
        return states().level(used);
    }

    /** Returns the levels of states in which one more of a profile fits, as a mask. */
    public long levels(int name) {
        return states().levels(name);
    }

    /** The states, worked out when first asked for. */
    PartitionStates states() {
        PartitionStates known = states;
        if (known == null) {
            known = new PartitionStates(words);
            states = known;
        }
        return known;
    }

    /** Returns about how many steps it takes to say what a state leaves room for: none where all states are known. */
    public int stepsToLook() {
        return states().isComplete() ? 0 : 8 + words.places() / 2;
    }

    /** Returns what devices are worth where nothing is known of what will be asked of them; worked out when first asked for. */
    public PartitionWorth worth() {
        PartitionWorth known = worth;
        if (known == null) {
            known = PartitionWorth.unknown(states());
            worth = known;
        }
        return known;
    }

    /**
     * Returns what devices are worth by what is asked of them.
     *
     * @param weights how often each name of a profile is asked for, relative to the others; 0 where it is none of these
     * @param wholeWeight how often whole devices or shares are asked for; not all of these 0
     */
    public PartitionWorth worth(Map<String, Long> weights, long wholeWeight) {
        Objects.requireNonNull(weights, "weights");
        long[] byName = words.names.stream()
                .mapToLong(name -> weights.getOrDefault(name, 0L))
                .toArray();
        return PartitionWorth.of(states(), byName, wholeWeight);
    }

    /** Returns how many more of the profiles of a name fit, at most, one after the other. */
    public int mostOf(long used, int name) {
        return counts.of(used, name, "");
    }

    /** As {@link #mostOf(long, int)}, of profiles that go with this mode of the node. */
    public int mostOf(long used, int name, String nodeMode) {
        return counts.of(used, name, Objects.requireNonNull(nodeMode, "nodeMode"));
    }

    @Override
    public String toString() {
        return "partitions " + words.names + ", " + Arrays.toString(words.word);
    }
}
