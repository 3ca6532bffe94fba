package io.gpusched.model.partition;

import it.unimi.dsi.fastutil.longs.Long2IntOpenHashMap;
import it.unimi.dsi.fastutil.longs.LongArrayList;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.TreeSet;

/**
 * All states of a device that can be reached, with what each leaves room for: for the models of NVIDIA some two thousand.
 *
 * <p>States that leave room for the same profiles are of one level; levels stand in the order of what they leave room for, the
 * least first. A geometry with very many states is not worked out in advance: then each state is evaluated when it is met, and levels are
 * rounded. Immutable and thread-safe.
 */
final class PartitionStates {
    private static final int MOST_STATES = 1 << 15;

    private final PartitionWords words;

    /** By word: its position. */
    private final Long2IntOpenHashMap positions = new Long2IntOpenHashMap();

    private final LongArrayList all = new LongArrayList();
    private final boolean complete;

    /** By position. */
    private final int[] capabilities;

    private final int[] levels;

    /** By name of a profile: the levels at which one more fits. */
    private final long[] levelsOf;

    private final Comparator<Integer> byWeight =
            Comparator.comparingInt(this::weight).thenComparing(Comparator.naturalOrder());

    /** The capabilities that occur, by level; and how many of them share a level. */
    private final List<Integer> ranked;

    PartitionStates(PartitionWords words) {
        this.words = words;
        positions.defaultReturnValue(-1);
        add(0);
        int at = 0;
        while (at < all.size() && all.size() <= MOST_STATES) {
            long state = all.getLong(at++);
            PartitionRest rest = new PartitionRest(words, state);
            for (int place = 0; place < words.places(); place++) {
                if (rest.fits(place)) {
                    add(state + words.word[place]);
                }
            }
        }
        complete = at == all.size();
        capabilities = all.longStream().mapToInt(words::capability).toArray();
        TreeSet<Integer> distinct = new TreeSet<>(byWeight);
        for (int capability : capabilities) {
            distinct.add(capability);
        }
        ranked = new ArrayList<>(distinct);
        levels = new int[capabilities.length];
        for (int i = 0; i < levels.length; i++) {
            levels[i] = levelOf(capabilities[i]);
        }
        levelsOf = new long[words.names.size()];
        for (int name = 0; name < levelsOf.length; name++) {
            levelsOf[name] = levelsWith(name);
        }
    }

    private void add(long state) {
        if (positions.get(state) < 0) {
            positions.put(state, all.size());
            all.add(state);
        }
    }

    /** How much a capability is worth: the sizes of the profiles that fit. */
    private int weight(int capability) {
        int weight = 0;
        for (int name = 0; name < words.names.size(); name++) {
            if ((capability >>> name & 1) != 0) {
                var profile = words.profile(words.placesOf[name][0]);
                weight += Math.max(1, profile.size() > 0 ? profile.size() : profile.computeMillis() / 100);
            }
        }
        return weight;
    }

    PartitionWords words() {
        return words;
    }

    /** Returns the number of states; each is a word at {@link #word}. */
    int size() {
        return all.size();
    }

    /** Returns whether these are all states that there are. */
    boolean isComplete() {
        return complete;
    }

    /** Returns the word at a position. */
    long word(int position) {
        return all.getLong(position);
    }

    /** Returns the position of a state, or -1 if it is not known. */
    int position(long used) {
        return positions.get(used);
    }

    /** Returns the position of a state at a position once a place, which must have room, has one instance more. */
    int next(int position, int place) {
        return positions.get(all.getLong(position) + words.word[place]);
    }

    /** Returns the names of the profiles that fit once more, as a mask. */
    int capability(long used) {
        int at = position(used);
        return at < 0 ? words.capability(used) : capabilities[at];
    }

    /** Returns whether one more of the profiles of a name fits. */
    boolean hasRoom(long used, int name) {
        int at = position(used);
        return at < 0 ? words.hasRoom(used, name) : (capabilities[at] >>> name & 1) != 0;
    }

    /** Returns the level of a state. */
    int level(long used) {
        int at = position(used);
        return at < 0 ? levelOf(words.capability(used)) : levels[at];
    }

    private int levelOf(int capability) {
        int rank = rank(capability);
        return ranked.size() <= PartitionTable.LEVELS ? rank : rank * PartitionTable.LEVELS / ranked.size();
    }

    /** The position of a capability among the known ones, or of the next lesser one. */
    private int rank(int capability) {
        int at = Collections.binarySearch(ranked, capability, byWeight);
        return at >= 0 ? at : Math.max(0, -at - 2);
    }

    /** Returns the levels of states in which one more of a profile fits, as a mask; all where that is not known. */
    long levels(int name) {
        return levelsOf[name];
    }

    private long levelsWith(int name) {
        if (!complete) {
            return (1L << PartitionTable.LEVELS) - 1;
        }
        long found = 0;
        for (int capability : ranked) {
            found |= (capability >>> name & 1) != 0 ? 1L << levelOf(capability) : 0;
        }
        return found;
    }
}
