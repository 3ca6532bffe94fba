package io.gpusched.json;

import io.gpusched.model.amount.NamedAmounts;
import io.gpusched.model.partition.PartitionGeometry;
import io.gpusched.model.partition.PartitionProfile;
import java.util.List;

/** How a GPU can be cut, as it is written. */
record GeometryForm(
        String name, int gridUnits, NamedAmounts totals, List<PartitionProfile> profiles, boolean alwaysCut) {
    static GeometryForm of(PartitionGeometry one) {
        return new GeometryForm(one.name(), one.gridUnits(), one.totals(), one.profiles(), one.isAlwaysCut());
    }

    PartitionGeometry geometry() {
        return PartitionGeometry.of(name, gridUnits, totals, profiles).withAlwaysCut(alwaysCut);
    }
}
