package io.gpusched.internal.score;

import io.gpusched.internal.tree.SparseTournament;
import io.gpusched.internal.tree.Tournament;
import it.unimi.dsi.fastutil.longs.LongArrayList;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The scores of the nodes of one class for one shape of pod, grouped by what a placement would take away: all of one group
 * pay the same price, so the first best of each group is all a decision needs. Not thread-safe.
 */
public final class ClassScores {
    /** The group of key 0, in which most nodes are. */
    private final Tournament plain;

    /** The keys of the groups from 1 on, and their scores. */
    private final LongArrayList keys = new LongArrayList(0);

    private final List<SparseTournament> groups = new ArrayList<>(0);

    /** By slot: the node's group; empty while all are in the first. */
    private int[] groupOf = {};

    private final int size;

    /** Takes over these elements as those of key 0. */
    public ClassScores(long[] scores) {
        plain = new Tournament(scores);
        size = scores.length;
    }

    public void set(int slot, Scored scored) {
        if (groupOf.length == 0 && scored.key() == 0) {
            plain.set(slot, scored.score());
            return;
        }
        int group = group(scored.key());
        if (groupOf.length == 0) {
            groupOf = new int[size];
        }
        if (groupOf[slot] != group) {
            put(groupOf[slot], slot, Scored.NO_ROOM);
            groupOf[slot] = group;
        }
        put(group, slot, scored.score());
    }

    private int group(long key) {
        if (key == 0) {
            return 0;
        }
        int at = keys.indexOf(key);
        if (at < 0) {
            at = groups.size();
            keys.add(key);
            groups.add(new SparseTournament(size));
        }
        return at + 1;
    }

    private void put(int group, int slot, long score) {
        if (group == 0) {
            plain.set(slot, score);
        } else {
            groups.get(group - 1).set(slot, score);
        }
    }

    /** Returns the number of groups, at least 1. */
    public int groups() {
        return 1 + groups.size();
    }

    /** Returns what placements of a group take away. */
    public long key(int group) {
        return group == 0 ? 0 : keys.getLong(group - 1);
    }

    /** Returns the best score in a group, or {@link Scored#NO_ROOM}. */
    public long best(int group) {
        return group == 0 ? plain.max() : groups.get(group - 1).max();
    }

    /** Returns the slot of the first node with the best score of a group that has room. */
    public int firstBest(int group) {
        return group == 0 ? plain.first() : groups.get(group - 1).first();
    }

    @Override
    public String toString() {
        return plain + " " + keys + " " + Arrays.toString(groupOf);
    }
}
