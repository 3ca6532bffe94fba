package io.gpusched.manifests.cluster;

import io.gpusched.manifests.view.Trouble;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What was found wrong, in as few sentences as there are kinds of it. */
final class Troubles {
    private static final Pattern FOREIGN = Pattern.compile(
            "container \".*\" holds (\\S+), which dialect .* does not count; of node \"(.*)\" (\\d+) of the GPUs.*");

    private static final String NONE_LEFT = "; of node \"([^\"]*)\" 0 of the GPUs that it may hold are set aside.*";

    private Troubles() {}

    static List<String> words(Collection<Trouble> troubles) {
        Map<String, Set<String>> pods = new LinkedHashMap<>();
        Map<String, Set<String>> nodes = new LinkedHashMap<>();
        Map<String, Integer> gpus = new LinkedHashMap<>();
        List<String> words = new ArrayList<>();
        for (Trouble trouble : troubles) {
            Matcher foreign = FOREIGN.matcher(trouble.message());
            if (foreign.matches()) {
                pods.computeIfAbsent(foreign.group(1), any -> new TreeSet<>())
                        .add(trouble.namespace() + "/" + trouble.name());
                nodes.computeIfAbsent(foreign.group(1), any -> new TreeSet<>()).add(foreign.group(2));
                gpus.merge(foreign.group(1), Integer.parseInt(foreign.group(3)), Integer::sum);
            } else {
                String name =
                        trouble.namespace().isEmpty() ? trouble.name() : trouble.namespace() + "/" + trouble.name();
                words.add(trouble.kind() + " " + name + ": "
                        + trouble.message().replaceFirst(NONE_LEFT, "; node $1 has no other GPUs to set aside for it"));
            }
        }
        pods.forEach((resource, names) -> words.add(ForeignHoldings.count(names.size(), "pod") + " on "
                + ForeignHoldings.count(nodes.getOrDefault(resource, Set.of()).size(), "node") + " "
                + (names.size() == 1 ? "holds " : "hold ") + resource + ", which is not read here; "
                + ForeignHoldings.count(gpus.getOrDefault(resource, 0), "GPU") + " set aside for them: "
                + ForeignHoldings.names(names)));
        return words;
    }
}
