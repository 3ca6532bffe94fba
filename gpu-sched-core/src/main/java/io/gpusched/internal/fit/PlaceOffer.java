package io.gpusched.internal.fit;

import io.gpusched.model.partition.PartitionTable;
import io.gpusched.workload.GpuRequest;
import it.unimi.dsi.fastutil.Arrays;
import it.unimi.dsi.fastutil.ints.IntArrayList;
import it.unimi.dsi.fastutil.ints.IntArrays;
import it.unimi.dsi.fastutil.longs.LongArrayList;
import it.unimi.dsi.fastutil.longs.LongArrays;

/** Which GPUs and places a unit of a pod's partitions may have, given what the units before it have. */
final class PlaceOffer {
    /** What it costs to cut a device that is idle: more than any other way to serve a unit. */
    private static final long CUTTING_IDLE = 1L << 40;

    private final LayoutProblem problem;
    private final LayoutPlan plan;
    private final LayoutLoad load;
    private final PlaceLoad places;
    private final SearchSteps steps;
    private final LongArrayList costs = new LongArrayList();
    private final IntArrayList codes = new IntArrayList();

    PlaceOffer(LayoutProblem problem, LayoutLoad load, PlaceLoad places, SearchSteps steps) {
        this.problem = problem;
        this.plan = problem.plan;
        this.load = load;
        this.places = places;
        this.steps = steps;
    }

    /**
     * Returns the GPUs and places that a unit may have, the best first: on cut devices before idle ones, then by what is left. Of GPUs
     * that serve alike only the lowest.
     *
     * @param gpus the GPUs that are looked at
     */
    int[] best(int unit, long gpus) {
        costs.clear();
        codes.clear();
        String mode = places.nodeMode();
        steps.take(2L * problem.gpus + unit - plan.firstUnit[plan.depth[unit]]);
        for (long rest = gpus; rest != 0; rest &= rest - 1) {
            int gpu = Long.numberOfTrailingZeros(rest);
            if (load.mayCut(gpu) && !load.hasEquivalentBefore(unit, gpu, 0, steps)) {
                offer(unit, gpu, mode);
            }
        }
        return sorted(costs.toLongArray(), codes.toIntArray());
    }

    private void offer(int unit, int gpu, String mode) {
        PartitionTable table = places.table(gpu);
        int[] asked = table.placesOf(table.name(request(unit).profile()));
        steps.take(table.stepsToFit(asked.length) + table.stepsToLook());
        boolean[] fit = table.fit(places.held(gpu), asked);
        boolean isIdle = places.taken(gpu) == 0 && problem.node.isIdle(gpu);
        long before = (isIdle ? CUTTING_IDLE : 0) + table.worth().of(places.held(gpu));
        for (int i = 0; i < asked.length; i++) {
            int place = asked[i];
            boolean grows = places.grows(unit, gpu, place);
            if ((!grows || fit[i]) && PartitionFit.goesWith(table, place, mode)) {
                steps.take(table.stepsToLook());
                costs.add(grows ? before - table.worth().of(places.held(gpu) + table.word(place)) : -1);
                codes.add(PlaceLoad.code(gpu, place));
            }
        }
    }

    private GpuRequest.Partition request(int unit) {
        return (GpuRequest.Partition) plan.requests.get(plan.type[plan.depth[unit]]);
    }

    private static int[] sorted(long[] costs, int[] codes) {
        Arrays.quickSort(
                0,
                costs.length,
                (one, other) -> costs[one] != costs[other]
                        ? Long.compare(costs[one], costs[other])
                        : Integer.compare(codes[one], codes[other]),
                (one, other) -> {
                    LongArrays.swap(costs, one, other);
                    IntArrays.swap(codes, one, other);
                });
        return codes;
    }

    /** Returns whether a unit may have this place of one of these GPUs. */
    boolean isLegal(int unit, int code, long gpus) {
        int gpu = PlaceLoad.gpu(code);
        int place = PlaceLoad.place(code);
        PartitionTable table = places.table(gpu);
        steps.take(table.stepsToFit(1));
        return (gpus >>> gpu & 1) != 0
                && load.mayCut(gpu)
                && (!places.grows(unit, gpu, place) || table.fits(places.held(gpu), place))
                && PartitionFit.goesWith(table, place, places.nodeMode());
    }
}
