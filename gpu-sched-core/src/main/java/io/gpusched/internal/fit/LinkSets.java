package io.gpusched.internal.fit;

import io.gpusched.model.GpuLinks;
import io.gpusched.model.NodeClass;
import io.gpusched.workload.GpuAffinity;
import io.gpusched.workload.GpuAffinity.Bond;
import io.gpusched.workload.GpuAffinity.Choice;

/**
 * Picks GPUs of one node by how they are connected. Not thread-safe; one for each pick.
 */
public final class LinkSets {
    /*
     * Depth first over sets in the order of their indexes, so that the first of equal sets is the lowest. The worth of a set
     * is a sum over its pairs and its GPUs. A branch is left when even the best that its candidates could add, each to what
     * is chosen and each to each other, does not beat the best worth known: where all links are equal, the first set ends
     * the search. A greedy choice from each GPU tells beforehand what worth has to be reached. 4 of 16 GPUs are at most 560
     * branches, 8 of 16 at most 11,440.
     *
     * Three numbers are added up at once, the greater ones decide: scores of links (at most 64 * 63 / 2 * 10,000, 25 bits),
     * of ways to network cards (at most 64 * 60, 16 bits), and pairs on one NUMA node (at most 2,016, 16 bits).
     */
    private static final int LINK_SHIFT = 32;
    private static final int NIC_SHIFT = 16;

    /** Up to so many GPUs every set is looked at that could be the best. */
    static final int MOST_EXACT = 16;

    private static final int MOST_BRANCHES = 50_000;

    private static final int STEPS_PER_BRANCH = 10;

    /** What it takes to look for a set among more GPUs than can be looked at exactly, in steps. */
    public static final long MOST_STEPS = (long) MOST_BRANCHES * STEPS_PER_BRANCH;

    private final NodeClass nodes;
    private final GpuAffinity affinity;

    /** The available GPUs; from here on a GPU is its position in this list. */
    private final int[] gpus;

    private final long[][] pairs;
    private final long[] own;
    private final int mostBranches;
    private long greatestPair;

    /** The worth to beat. */
    private long mark = -1;

    private long bestSet;
    private int branches;

    /** By number of GPUs still missing and GPU: what it adds to those chosen so far. */
    private final long[][] gains;

    private LinkSets(NodeClass nodes, GpuAffinity affinity, long available, int count, SearchSteps steps) {
        this.nodes = nodes;
        this.affinity = affinity;
        this.gpus = indexes(available);
        this.pairs = new long[gpus.length][gpus.length];
        this.own = new long[gpus.length];
        this.gains = new long[count + 1][gpus.length];
        this.mostBranches = gpus.length > MOST_EXACT
                ? (int) Math.min(MOST_BRANCHES, steps.left() / STEPS_PER_BRANCH)
                : Integer.MAX_VALUE;
        if (affinity.choice() != Choice.LOWEST_INDEXES
                && count > 1
                && !nodes.links().isNone()) {
            weigh(nodes.links());
        }
    }

    private void weigh(GpuLinks links) {
        for (int a = 0; a < gpus.length; a++) {
            own[a] = (long) links.nicScore(gpus[a]) << NIC_SHIFT;
            int numaNode = nodes.gpus().get(gpus[a]).numaNode();
            for (int b = a + 1; b < gpus.length; b++) {
                int near = numaNode == nodes.gpus().get(gpus[b]).numaNode() ? 1 : 0;
                long pair = ((long) links.link(gpus[a], gpus[b]).score() << LINK_SHIFT) + near;
                pairs[a][b] = pair;
                pairs[b][a] = pair;
                greatestPair = Math.max(greatestPair, pair);
            }
        }
    }

    private static int[] indexes(long mask) {
        int[] indexes = new int[Long.bitCount(mask)];
        int at = 0;
        for (long rest = mask; rest != 0; rest &= rest - 1) {
            indexes[at++] = Long.numberOfTrailingZeros(rest);
        }
        return indexes;
    }

    /** Whether links decide which GPUs of a node of this class are taken. */
    public static boolean matter(NodeClass nodes, GpuAffinity affinity, int count) {
        return count > 1
                && (Bonds.include(affinity, Bond.NVLINK_CLIQUE)
                        || !nodes.links().isNone() && affinity.choice() != Choice.LOWEST_INDEXES);
    }

    /**
     * Returns the set of so many of the available GPUs that affinity picks, as a mask; 0 if none has the bonds. Where
     * the search is cut short, the counter says so.
     */
    public static long pick(NodeClass nodes, GpuAffinity affinity, long available, int count, SearchSteps steps) {
        return pick(nodes, affinity, available, 0, count, steps);
    }

    /** As above, but only of sets that contain all these GPUs, which are available. */
    public static long pick(
            NodeClass nodes, GpuAffinity affinity, long available, long included, int count, SearchSteps steps) {
        if (Long.bitCount(available) < count || Long.bitCount(included) > count) {
            return 0;
        }
        return new LinkSets(nodes, affinity, available, count, steps).pick(included, count, steps);
    }

    private long pick(long included, int count, SearchSteps steps) {
        long candidates = gpus.length == Long.SIZE ? -1L : (1L << gpus.length) - 1;
        long chosen = 0;
        long sum = 0;
        long[] gain = own.clone();
        for (int at = 0; at < gpus.length; at++) {
            if ((included >>> gpus[at] & 1) != 0) {
                if ((candidates >>> at & 1) == 0) {
                    return 0;
                }
                chosen |= 1L << at;
                sum += gain[at];
                candidates = without(candidates, at);
                add(gain, at);
            }
        }
        int missing = count - Long.bitCount(chosen);
        long greedy = greedy(chosen, candidates, gain, sum, missing);
        System.arraycopy(gain, 0, gains[missing], 0, gain.length);
        extend(chosen, candidates, sum, missing);
        if (gpus.length > MOST_EXACT) {
            long greedySteps = (long) gpus.length * gpus.length * count / 8;
            steps.take(greedySteps + (long) Math.min(branches, mostBranches) * STEPS_PER_BRANCH);
        }
        if (branches > mostBranches) {
            steps.giveUp();
        }
        return toMask(bestSet != 0 ? bestSet : greedy);
    }

    private long toMask(long positions) {
        long mask = 0;
        for (long rest = positions; rest != 0; rest &= rest - 1) {
            mask |= 1L << gpus[Long.numberOfTrailingZeros(rest)];
        }
        return mask;
    }

    /** The candidates that are left when one of them is chosen. */
    private long without(long candidates, int chosen) {
        long others = candidates & ~(1L << chosen);
        if (Bonds.isNone(affinity)) {
            return others;
        }
        long mates = Bonds.mates(affinity, nodes, gpus[chosen], toMask(others));
        long left = 0;
        for (long rest = others; rest != 0; rest &= rest - 1) {
            long one = Long.lowestOneBit(rest);
            left |= (mates >>> gpus[Long.numberOfTrailingZeros(one)] & 1) != 0 ? one : 0;
        }
        return left;
    }

    private void add(long[] gain, int chosen) {
        for (int at = 0; at < gain.length; at++) {
            gain[at] += pairs[chosen][at];
        }
    }

    /** Sets the mark to what the best greedy choice reaches, so that a set as good is found next; returns that choice. */
    private long greedy(long chosen, long candidates, long[] gain, long sum, int missing) {
        long best = 0;
        for (long starts = missing == 0 ? 0 : candidates; starts != 0; starts &= starts - 1) {
            long set = chosen;
            long left = candidates;
            long worth = sum;
            long[] added = gain.clone();
            int next = Long.numberOfTrailingZeros(starts);
            for (int i = missing; i > 0 && next >= 0; i--) {
                set |= 1L << next;
                worth += added[next];
                left = without(left, next);
                add(added, next);
                next = greatest(added, left);
            }
            if (Long.bitCount(set) == Long.bitCount(chosen) + missing && worth > mark + 1) {
                mark = worth - 1;
                best = set;
            }
        }
        return best;
    }

    private static int greatest(long[] gain, long candidates) {
        int best = -1;
        for (long rest = candidates; rest != 0; rest &= rest - 1) {
            int at = Long.numberOfTrailingZeros(rest);
            best = best < 0 || gain[at] > gain[best] ? at : best;
        }
        return best;
    }

    private void extend(long chosen, long candidates, long sum, int missing) {
        branches++;
        if (missing == 0) {
            offer(chosen, sum);
            return;
        }
        if (Long.bitCount(candidates) < missing || branches > mostBranches) {
            return;
        }
        long[] gain = gains[missing];
        long among = (long) missing * (missing - 1) / 2 * greatestPair;
        if (sum + missing * gain[greatest(gain, candidates)] + among <= mark) {
            return;
        }
        for (long rest = candidates; Long.bitCount(rest) >= missing; rest &= rest - 1) {
            int at = Long.numberOfTrailingZeros(rest);
            if (missing == 1) {
                offer(chosen | 1L << at, sum + gain[at]);
            } else {
                long[] next = gains[missing - 1];
                for (int other = at + 1; other < next.length; other++) {
                    next[other] = gain[other] + pairs[at][other];
                }
                extend(chosen | 1L << at, without(rest, at), sum + gain[at], missing - 1);
            }
        }
    }

    private void offer(long set, long worth) {
        if (worth > mark) {
            mark = worth;
            bestSet = set;
        }
    }
}
