package io.gpusched.kubernetes.decide;

import io.gpusched.kubernetes.evict.Room;
import io.gpusched.manifests.view.Trouble;
import java.util.ArrayList;
import java.util.List;

/**
 * What came of a round of deciding.
 *
 * @param bindings which pods go where, groups together
 * @param refusals the pods that found no place
 * @param groups what was decided about groups
 * @param rooms room that is to be made by evictions
 * @param withdrawn pods for which no place is held any more
 * @param starts when jobs that wait are to start; nothing if that was not asked
 * @param troubles what is to be said of pods beside that they wait
 * @param cancelled the names of jobs that need no more evictions
 */
public record Decisions(
        List<Binding> bindings,
        List<Refusal> refusals,
        List<GroupResult> groups,
        List<Room> rooms,
        List<PendingPod> withdrawn,
        List<ToldStart> starts,
        List<Trouble> troubles,
        List<String> cancelled) {
    /** An empty list of each, to be filled. */
    static Decisions empty() {
        return new Decisions(
                new ArrayList<>(),
                new ArrayList<>(),
                new ArrayList<>(),
                new ArrayList<>(),
                new ArrayList<>(),
                new ArrayList<>(),
                new ArrayList<>(),
                new ArrayList<>());
    }

    /** Returns whether nothing was tried. */
    public boolean isEmpty() {
        return bindings.isEmpty()
                && refusals.isEmpty()
                && groups.isEmpty()
                && rooms.isEmpty()
                && withdrawn.isEmpty()
                && cancelled.isEmpty();
    }
}
