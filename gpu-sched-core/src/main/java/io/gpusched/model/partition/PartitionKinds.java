package io.gpusched.model.partition;

import it.unimi.dsi.fastutil.longs.LongArrayList;
import java.util.HashMap;
import java.util.Map;

/**
 * Which states of a device leave room for the same, now and whatever is taken next: a search for what fits needs to look at one of
 * each such kind. Immutable and thread-safe.
 */
final class PartitionKinds {
    /*
     * States are of one kind if by taking a profile of the same name they come to states of the same kinds (bisimulation). What
     * is taken is never returned here, so each state leads to fuller ones only: from the fullest on, the kinds that a state leads
     * to are known when its own is asked for. The 1,109 states of an A100 are of 52 kinds, for often it does not matter in which
     * of several equal places a small partition lies.
     */
    /** With more states than this each is a kind of its own. */
    private static final int MOST_STATES = 1 << 12;

    private final PartitionStates states;

    /** By position of a state; empty if each state is a kind of its own. */
    private final int[] kinds;

    PartitionKinds(PartitionStates states) {
        this.states = states;
        // of shared places the states do not tell how many tenants there are
        boolean isKnown = states.isComplete()
                && states.size() <= MOST_STATES
                && !states.words().hasShared();
        this.kinds = new int[isKnown ? states.size() : 0];
        Map<LongArrayList, Integer> known = new HashMap<>();
        for (int at = kinds.length - 1; at >= 0; at--) {
            LongArrayList future = future(at);
            Integer kind = known.putIfAbsent(future, known.size());
            kinds[at] = kind == null ? known.size() - 1 : kind;
        }
    }

    /** What may be taken of a state, and the kinds of the states that this leads to; after the mode that the node is in. */
    private LongArrayList future(int at) {
        PartitionWords words = states.words();
        PartitionRest rest = new PartitionRest(words, states.word(at));
        LongArrayList ways = new LongArrayList();
        for (int place = 0; place < words.places(); place++) {
            if (rest.fits(place)) {
                long taken = (long) words.nodeModes[words.profileOf[place]] << 16 | words.nameOf[place];
                ways.add(taken << 32 | kinds[states.next(at, place)]);
            }
        }
        ways.sort(null);
        LongArrayList distinct = new LongArrayList();
        distinct.add(rest.nodeMode());
        for (long way : ways) {
            if (distinct.size() == 1 || distinct.getLong(distinct.size() - 1) != way) {
                distinct.add(way);
            }
        }
        return distinct;
    }

    /** Returns a number that two states have in common only if they are of one kind. */
    long of(long used) {
        return kinds.length == 0 ? used : kinds[states.position(used)];
    }
}
