package io.gpusched.internal.rules;

import io.gpusched.model.Locality;
import io.gpusched.model.Node;
import io.gpusched.model.Topology;
import io.gpusched.workload.NodeRequirement;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * In which domain of a key a node stands. A key is a label of nodes, whose values are the domains, or a level of the topology. Rules
 * between pods take the label where a node has it, else the level; localities of groups take the level, else the label.
 */
public final class Places {
    /** Stands before a key that is a level in the first place; no label has such a key. */
    private static final String LEVEL = "level:";

    /** Ends each text of a domain's path; no label has it in its value. */
    private static final char END = '\0';

    private Places() {}

    /** Returns the key of a locality that is not {@link Locality.Scope#ANYWHERE}. */
    static String key(Locality locality) {
        return locality.scope() == Locality.Scope.NODE ? NodeRequirement.NAME : LEVEL + locality.level();
    }

    /** Returns the name of a node's domain; null if the node is in none. Domains of one level are told apart by their whole paths. */
    public static @Nullable String domain(String key, Node node) {
        if (key.startsWith(LEVEL)) {
            String name = key.substring(LEVEL.length());
            String domain = ofLevel(name, node.topology());
            return domain == null ? node.labels().get(name) : domain;
        }
        String label = NodeRequirement.value(key, node);
        return label == null ? ofLevel(key, node.topology()) : label;
    }

    /** Whether a key is a level in the first place. */
    static boolean isOfLevelFirst(String key) {
        return key.startsWith(LEVEL);
    }

    /** Whether a domain is one of the topology and not the value of a label. */
    static boolean isOfLevel(String domain) {
        return domain.indexOf(END) >= 0;
    }

    private static @Nullable String ofLevel(String level, Topology topology) {
        List<Topology.Domain> path = topology.domains();
        for (int i = 0; i < path.size(); i++) {
            if (path.get(i).level().equals(level)) {
                return name(path, i);
            }
        }
        return null;
    }

    private static String name(List<Topology.Domain> path, int last) {
        StringBuilder name = new StringBuilder();
        for (int i = 0; i <= last; i++) {
            name.append(path.get(i).level())
                    .append(END)
                    .append(path.get(i).name())
                    .append(END);
        }
        return name.toString();
    }
}
