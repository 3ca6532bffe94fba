package io.gpusched.internal.index;

import io.gpusched.model.Node;
import io.gpusched.model.NodeState;
import io.gpusched.model.Resources;
import it.unimi.dsi.fastutil.ints.IntArrayList;
import it.unimi.dsi.fastutil.ints.IntList;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/**
 * Nodes that a pod may go to and that have the CPU and memory for it, asked for by the {@linkplain Rooms room} that they have: an
 * intersection of bitmaps, in node order. Good until its index follows another snapshot. Not thread-safe.
 *
 * <p>Costs O(words that all sets have in common): words of 64, 4,096 and 262,144 slots without candidates, and those of which
 * no node has as much CPU or as much memory, are passed by.
 */
public final class CandidateSet {
    private final SnapshotIndex index;
    private final CapacityBuckets buckets;
    private final long[] amounts;
    private final Resources resources;
    private final long least;

    /** Whether more is asked than {@link Amounts} tell apart. */
    private final boolean isBeyondAmounts;

    private final NodeCondition[] conditions;

    /** What is left to be asked of each node; null if nothing is. */
    private final @Nullable IntPredicate test;

    CandidateSet(SnapshotIndex index, Resources resources, NodeCondition[] conditions, @Nullable IntPredicate test) {
        this.index = index;
        this.buckets = index.buckets();
        this.amounts = buckets.amounts();
        this.resources = resources;
        this.least = Amounts.of(resources.cpuMillis(), resources.memoryMib());
        this.isBeyondAmounts = !Amounts.areExact(resources.cpuMillis(), resources.memoryMib());
        this.conditions = conditions;
        this.test = test;
    }

    /** Returns the node in a slot. */
    public NodeState state(int slot) {
        return index.state(slot);
    }

    /** Returns the first room from one up to but not including another that any node of the cluster has, or -1. */
    public int nextRoom(int from, int to) {
        return buckets.next(from, to);
    }

    /** Returns the slot of the first candidate of a range that has any room from one up to but not including another and passes a test, or -1. */
    public int first(int from, int to, SlotRange range, IntPredicate wanted) {
        return first(buckets.of(from, to), range, wanted);
    }

    /** Returns the slot of the first candidate of a range that has any of some rooms and passes a test, or -1. */
    public int first(RoomSet rooms, SlotRange range, IntPredicate wanted) {
        return first(buckets.of(rooms), range, wanted);
    }

    private int first(CapacityBucket[] some, SlotRange range, IntPredicate wanted) {
        int slot = next(some, range.from(), range);
        while (slot >= 0 && !wanted.test(slot)) {
            slot = next(some, slot + 1, range);
        }
        return slot;
    }

    /** Returns the slots of the candidates of a range that have any of some rooms, or null if they are more than a number. */
    public @Nullable IntList slots(RoomSet rooms, SlotRange range, int most) {
        IntArrayList found = new IntArrayList();
        int beyond = first(rooms, range, slot -> {
            boolean isTooMany = found.size() == most;
            found.add(slot);
            return isTooMany;
        });
        return beyond < 0 ? found : null;
    }

    /** Returns how many idle GPUs nodes of a range have, of those whose sets meet; CPU and memory are not looked at. */
    public long idleGpus(SlotRange range) {
        long sum = 0;
        int end = Rooms.idle(Node.MAX_GPUS) + 1;
        for (int room = buckets.next(Rooms.idle(1), end); room >= 0; room = buckets.next(room + 1, end)) {
            sum += (long) room * count(room, range);
        }
        return sum;
    }

    /** Returns how many nodes of a range have GPUs and no pod, of those whose sets meet; CPU and memory are not looked at. */
    public long emptyNodes(SlotRange range) {
        long sum = 0;
        int end = Rooms.empty(Node.MAX_GPUS) + 1;
        for (int room = buckets.next(Rooms.empty(1), end); room >= 0; room = buckets.next(room + 1, end)) {
            sum += count(room, range);
        }
        return sum;
    }

    private int count(int room, SlotRange range) {
        CapacityBucket bucket = buckets.get(room);
        if (bucket == null || conditions.length == 0) {
            return bucket == null ? 0 : bucket.count(range);
        }
        int count = 0;
        int end = Bitmap.above(amounts.length);
        for (int i = 0; i < range.words() && range.word(i) < end; i++) {
            int word = range.word(i);
            count += Long.bitCount(meeting(word, bucket.word(0, word)) & range.mask(i));
        }
        return count;
    }

    /*
     * A hot loop: from the word of the first slot through its bits, then by the two levels above to the next word in which all
     * sets have anything.
     */
    private int next(CapacityBucket[] rooms, int from, SlotRange range) {
        int end = Math.min(range.to(), amounts.length);
        if (from >= end || rooms.length == 0) {
            return -1;
        }
        int word = from >>> 6;
        long rest = slots(rooms, word) & range.slots(word) & -1L << from;
        while (true) {
            for (; rest != 0; rest &= rest - 1) {
                int slot = word << 6 | Long.numberOfTrailingZeros(rest);
                if (slot >= end) {
                    return -1;
                }
                if (Amounts.cover(amounts[slot], least) && isCandidate(slot)) {
                    return slot;
                }
            }
            word = nextWord(rooms, range.nextWord(word + 1));
            if (word < 0 || word << 6 >= end) {
                return -1;
            }
            rest = slots(rooms, word) & range.slots(word);
        }
    }

    /** What amounts and bitmaps do not tell. */
    private boolean isCandidate(int slot) {
        if (test == null && !isBeyondAmounts && resources.named().isEmpty()) {
            return true;
        }
        NodeState node = index.state(slot);
        return (!isBeyondAmounts
                        || resources.cpuMillis() <= node.freeCpuMillis()
                                && resources.memoryMib() <= node.freeMemoryMib())
                && resources.named().fitsIn(node.freeNamed())
                && (test == null || test.test(slot));
    }

    /** The slots of a word that are in any of the rooms and in all sets, if any of them may have the CPU and memory. */
    private long slots(CapacityBucket[] rooms, int word) {
        long found = 0;
        for (CapacityBucket room : rooms) {
            long slots = room.word(0, word);
            found |= slots != 0 && Amounts.cover(room.most(0, word), least) ? slots : 0;
        }
        return meeting(word, found);
    }

    private long meeting(int word, long slots) {
        long found = slots;
        for (int i = 0; i < conditions.length && found != 0; i++) {
            found &= conditions[i].slots(word);
        }
        return found;
    }

    private int nextWord(CapacityBucket[] rooms, int from) {
        int block = from >>> 6;
        if (block >= rooms[0].words(1)) {
            return -1;
        }
        long rest = words(rooms, block) & -1L << from;
        while (rest == 0) {
            block = nextBlock(rooms, block + 1);
            if (block < 0) {
                return -1;
            }
            rest = words(rooms, block);
        }
        return block << 6 | Long.numberOfTrailingZeros(rest);
    }

    private long words(CapacityBucket[] rooms, int block) {
        long found = 0;
        for (CapacityBucket room : rooms) {
            long words = room.word(1, block);
            found |= words != 0 && Amounts.cover(room.most(1, block), least) ? words : 0;
        }
        for (int i = 0; i < conditions.length && found != 0; i++) {
            found &= conditions[i].words(block);
        }
        return found;
    }

    private int nextBlock(CapacityBucket[] rooms, int from) {
        for (int top = from >>> 6; top < rooms[0].words(2); top++) {
            long rest = 0;
            for (CapacityBucket room : rooms) {
                rest |= Amounts.cover(room.most(2, top), least) ? room.word(2, top) : 0;
            }
            rest &= top == from >>> 6 ? -1L << from : -1;
            if (rest != 0) {
                return top << 6 | Long.numberOfTrailingZeros(rest);
            }
        }
        return -1;
    }
}
