package io.gpusched.json;

import io.gpusched.model.GpuLinks;
import java.util.List;

/** How GPUs are connected, as it is written. */
record LinksForm(List<List<GpuLinks.Link>> matrix, List<GpuLinks.Nic> nics) {
    static LinksForm of(GpuLinks links) {
        return new LinksForm(links.matrix(), links.nics());
    }

    GpuLinks links() {
        return GpuLinks.of(matrix, nics);
    }
}
