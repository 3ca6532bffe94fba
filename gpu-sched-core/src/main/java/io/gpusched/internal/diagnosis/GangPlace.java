package io.gpusched.internal.diagnosis;

import io.gpusched.internal.gang.GangFill;
import io.gpusched.internal.index.SlotRange;
import io.gpusched.model.Topology;

/**
 * A place that a group may use, and the members that found room there.
 *
 * @param path the domain; {@link Topology#NONE} for everywhere and for a node
 * @param node the name of the node where the group must stay on one; otherwise empty
 */
record GangPlace(SlotRange range, Topology path, String node, GangFill fill) {
    int placed() {
        return fill.placements().size();
    }
}
