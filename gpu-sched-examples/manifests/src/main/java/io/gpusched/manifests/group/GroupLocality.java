package io.gpusched.manifests.group;

import io.gpusched.model.Locality;
import java.util.List;

/**
 * Within what the pods of a group stay.
 *
 * @param labels node labels, from narrow to wide: the pods go into one domain of the first by which there is room, that is, onto
 *     nodes that have the same value of it; empty for anywhere
 * @param required whether the group waits if no domain has room; if not, it then takes few domains of the widest
 */
public record GroupLocality(List<String> labels, boolean required) {
    /** No matter where. */
    public static final GroupLocality ANYWHERE = new GroupLocality(List.of(), false);

    /** Copies the list. */
    public GroupLocality {
        labels = List.copyOf(labels);
    }

    /** Returns the locality within one domain of a label. */
    public static GroupLocality within(String label) {
        return new GroupLocality(List.of(label), true);
    }

    /** Returns the locality by annotations of a group object: a label with one required domain, and a label with one preferred. */
    public static GroupLocality of(String required, String preferred) {
        if (required.isEmpty() && preferred.isEmpty()) {
            return ANYWHERE;
        }
        if (required.isEmpty() || preferred.isEmpty() || required.equals(preferred)) {
            return new GroupLocality(List.of(required.isEmpty() ? preferred : required), !required.isEmpty());
        }
        return new GroupLocality(List.of(preferred, required), true);
    }

    /** Returns the locality by its widest label alone. */
    public Locality widest() {
        if (labels.isEmpty()) {
            return Locality.ANYWHERE;
        }
        Locality within = Locality.within(labels.get(labels.size() - 1));
        return required ? within : within.preferred();
    }
}
