package io.gpusched.kubernetes.extender;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.gpusched.kubernetes.extender.wire.BindingArguments;
import io.gpusched.model.PodId;
import java.time.Clock;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.lifecycle.BeforeTry;

/**
 * Random histories of a cluster whose news come late, whose writes are lost, delayed or unanswered, and whose extender is
 * restarted: by what the API server holds no GPU is ever given twice, and no GPU is lost for good.
 */
class ExtenderModelTest {
    private static final int NODES = 2;
    private static final int GPUS = 2;

    private FakeApi api = new FakeApi();
    private Deque<Runnable> news = new ArrayDeque<>();
    private List<PodId> pods = new ArrayList<>();
    private ClusterMirror mirror = mirror();
    private int created;
    private List<String> history = new ArrayList<>();

    @BeforeTry
    void beginAnew() {
        api = new FakeApi();
        news = new ArrayDeque<>();
        pods = new ArrayList<>();
        mirror = mirror();
        created = 0;
        history = new ArrayList<>();
    }

    private ClusterMirror mirror() {
        ClusterMirror fresh = new ClusterMirror(Objects.dialects("nano-gpu"), Clock.systemUTC());
        for (int n = 0; n < NODES; n++) {
            fresh.putNode(Objects.node("n" + n, GPUS));
        }
        return fresh;
    }

    @Property(tries = 120)
    void noGpu_isEverGivenTwice_andNoneIsLost(@ForAll Random random) {
        for (int step = 0; step < 60; step++) {
            act(random);
            percentByGpu()
                    .forEach((gpu, percent) -> assertThat(percent)
                            .as(() -> gpu + " after " + String.join("\n", history))
                            .isLessThanOrEqualTo(100));
        }
        settle();
        assertThat(bindAnywhere(create(100)) || fullyUsed()).isTrue();
        percentByGpu().forEach((gpu, percent) -> assertThat(percent).as(gpu).isLessThanOrEqualTo(100));
    }

    private void act(Random random) {
        switch (random.nextInt(10)) {
            case 0, 1 -> create(10 * (1 + random.nextInt(10)));
            case 2, 3, 4, 5 -> {
                FakeApi.Fault[] faults = FakeApi.Fault.values();
                api.fault = random.nextInt(3) == 0 ? faults[random.nextInt(faults.length)] : FakeApi.Fault.NONE;
                pick(random).ifPresent(pod -> bind(pod, "n" + random.nextInt(NODES)));
            }
            case 6 ->
                pick(random).ifPresent(pod -> {
                    history.add("touch " + pod);
                    tell(api.touch(pod));
                });
            case 7 -> pick(random).ifPresent(this::delete);
            case 8 -> hear(1 + random.nextInt(5));
            default -> {
                history.add("deliver");
                api.deliverDelayed();
                api.pods.values().stream().filter(ClusterMirror::isBound).forEach(this::tell);
                if (random.nextInt(4) == 0) {
                    restart();
                }
            }
        }
    }

    private PodId create(int percent) {
        Pod pod = api.create(Objects.pod("p" + created++, percent));
        PodId id = ClusterMirror.id(pod);
        pods.add(id);
        tell(pod);
        history.add("create " + id + " " + percent);
        return id;
    }

    private Optional<PodId> pick(Random random) {
        return pods.isEmpty() ? Optional.empty() : Optional.of(pods.get(random.nextInt(pods.size())));
    }

    private boolean bind(PodId id, String node) {
        String uid = api.pods.get(id).getMetadata().getUid();
        FakeApi.Fault fault = api.fault;
        String error = new BindVerb(mirror, api, "gpu-sched")
                .bind(new BindingArguments(id, uid, node))
                .error();
        history.add("bind " + id + " to " + node + " " + fault + ": " + error);
        tell(api.pods.get(id));
        return error.isEmpty();
    }

    private boolean bindAnywhere(PodId id) {
        for (int n = 0; n < NODES; n++) {
            if (bind(id, "n" + n)) {
                return true;
            }
        }
        return false;
    }

    private void delete(PodId id) {
        Pod gone = api.pods.remove(id);
        history.add("delete " + id);
        pods.remove(id);
        ClusterMirror now = mirror;
        news.add(() -> now.removePod(gone));
    }

    /** The mirror hears of it later, as it is now. */
    private void tell(Pod pod) {
        Pod copy = new PodBuilder(pod).build();
        ClusterMirror now = mirror;
        news.add(() -> now.putPod(copy));
    }

    private void hear(int many) {
        history.add("hear " + Math.min(many, news.size()));
        for (int i = 0; i < many && !news.isEmpty(); i++) {
            news.poll().run();
        }
    }

    /** A new process reads all there is; writes of the old one that are under way arrive before or never. */
    private void restart() {
        history.add("restart");
        mirror = mirror();
        news.clear();
        api.pods.values().forEach(mirror::putPod);
    }

    private void settle() {
        api.fault = FakeApi.Fault.NONE;
        api.deliverDelayed();
        List.copyOf(pods).forEach(pod -> tell(api.touch(pod)));
        hear(news.size());
    }

    private boolean fullyUsed() {
        Map<String, Integer> used = percentByGpu();
        return used.size() == NODES * GPUS;
    }

    private Map<String, Integer> percentByGpu() {
        Map<String, Integer> percents = new HashMap<>();
        for (Pod pod : api.pods.values()) {
            if (ClusterMirror.isBound(pod)) {
                String gpu = pod.getSpec().getNodeName() + "/"
                        + pod.getMetadata().getAnnotations().get("nano-gpu/container-main");
                int percent = Integer.parseInt(pod.getSpec()
                        .getContainers()
                        .get(0)
                        .getResources()
                        .getLimits()
                        .get(Objects.PERCENT)
                        .getAmount());
                percents.merge(gpu, percent, Integer::sum);
            }
        }
        return percents;
    }
}
