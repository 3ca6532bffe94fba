package io.gpusched.simulator.mig;

import java.util.function.IntToDoubleFunction;

/** A rule that others use to choose a GPU and a place: the lowest cost wins, then the lowest GPU and place. */
enum SliceRule {
    /** The first GPU with room, at NVIDIA's first free place. */
    FIRST_FIT("first fit", "the first GPU with room, at NVIDIA's first free place"),
    /** The GPU with the fewest free units. */
    BEST_FIT("best fit", "the GPU with the fewest free units"),
    /** The least increment of fragmentation: the units of placements that are blocked though there are enough free units (arXiv 2511.18906). */
    FRAGMENTATION_INCREMENT("frag. increment", "the least increment of blocked placements (arXiv 2511.18906)"),
    /** The least increase of free units that expected requests cannot use: FGD's idea (USENIX ATC 2023) on slices. */
    GRADIENT("FGD on slices", "the least increase of free units that expected pods cannot use");

    private final String words;
    private final String meaning;

    SliceRule(String words, String meaning) {
        this.words = words;
        this.meaning = meaning;
    }

    /** Returns what the rule does, in a few words. */
    String meaning() {
        return meaning;
    }

    /** By state what it costs to be in it, and whether a GPU is chosen by its state alone. */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    record Costs(double[] ofState, boolean byState, boolean none) {
        double of(int state, int to) {
            return none ? 0 : byState ? ofState[state] : ofState[to] - ofState[state];
        }
    }

    Costs costs(SliceModel model, double[] mix) {
        return switch (this) {
            case FIRST_FIT -> new Costs(new double[0], false, true);
            case BEST_FIT -> new Costs(all(model, model::freeUnits), true, false);
            case FRAGMENTATION_INCREMENT -> new Costs(all(model, state -> blocked(model, state)), false, false);
            case GRADIENT -> new Costs(all(model, state -> useless(model, mix, state)), false, false);
        };
    }

    private static double[] all(SliceModel model, IntToDoubleFunction cost) {
        return java.util.stream.IntStream.range(0, model.states.size())
                .mapToDouble(cost)
                .toArray();
    }

    private static double blocked(SliceModel model, int state) {
        double sum = 0;
        for (int p = 0; p < model.profiles.size(); p++) {
            int size = model.profiles.get(p).size();
            sum += size <= model.freeUnits(state) ? size * model.blockedPlaces(state, p) : 0;
        }
        return sum;
    }

    private static double useless(SliceModel model, double[] mix, int state) {
        double sum = 0;
        for (int p = 0; p < mix.length; p++) {
            sum += model.fits(state, p) ? 0 : mix[p] * model.freeUnits(state);
        }
        return sum;
    }

    @Override
    public String toString() {
        return words;
    }
}
