package io.gpusched.kubernetes.decide;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.gpusched.kubernetes.DeviceObjects;
import io.gpusched.kubernetes.Manifests;
import io.gpusched.manifests.yaml.YamlReader;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Tenants write selectors, as long and as many as they like: those of others are served all the same. */
class HostileSelectorsTest {
    private final FakeApi api = new FakeApi();
    private final SchedulerState state = FakeApi.scheduler("nvidia");
    private final List<Change> watch = api.watch();
    private final Set<String> bound = new HashSet<>();
    private long now = 1_000;

    private void put(String yaml) {
        watch.add(new Change.DevicesPut(YamlReader.parse("object", yaml).get(0), true));
    }

    private void putNodes(int count) {
        put(DeviceObjects.CLASS);
        for (int n = 0; n < count; n++) {
            put(DeviceObjects.slice("d" + n, 8));
            api.put(Manifests.node("d" + n, Map.of(), Map.of()));
        }
    }

    private void ask(String namespace, String name, String expression) {
        String request =
                "{name: r, exactly: {deviceClassName: gpu, selectors: [{cel: {expression: \"" + expression + "\"}}]}}";
        put(DeviceObjects.claim(name, request).replace("namespace: default", "namespace: " + namespace));
        Pod pod = DeviceObjects.user(name, name);
        api.create(new PodBuilder(pod)
                .editMetadata()
                .withNamespace(namespace)
                .endMetadata()
                .build());
    }

    /** Returns what pods are told in a round. */
    private Map<String, String> decide() {
        state.apply(List.copyOf(watch), now);
        watch.clear();
        now += 200;
        Decisions decisions = state.decide(now);
        for (Binding binding : decisions.bindings()) {
            bound.add(binding.pod().id().name());
        }
        return decisions.refusals().stream()
                .collect(Collectors.toMap(
                        refusal -> refusal.pod().id().name(),
                        refusal -> refusal.message().get(),
                        (one, other) -> one));
    }

    private static String costly(int number) {
        String all = IntStream.range(0, 15).boxed().toList() + ".all";
        return all + "(x, " + all + "(y, x + y >= 0)) && " + number + " >= 0";
    }

    @Test
    void manyCostlySelectors_areLookedAtOverRounds_andKeepNoOtherWaiting() {
        putNodes(20);
        for (int i = 0; i < 20; i++) {
            ask("hostile", "costly-" + i, costly(i));
        }
        ask("innocent", "cheap", "device.driver == 'gpu.nvidia.com'");
        api.create(Manifests.pod("plain", Map.of()));

        Map<String, String> told = decide();

        assertThat(bound).contains("cheap", "plain");
        assertThat(told.get("costly-19")).contains("the selectors of its namespace take long");
        for (int round = 0; round < 100 && state.nextDecisionAt().orElse(Long.MAX_VALUE) <= now + 200; round++) {
            decide();
        }
        assertThat(bound).hasSize(22);
    }

    @Test
    void aSelectorThatIsNoExpression_isToldSo() {
        putNodes(1);
        ask("default", "read", "?!");
        assertThat(decide().get("read")).contains("request default/read/r: has a selector that cannot be read: ?!");
    }
}
