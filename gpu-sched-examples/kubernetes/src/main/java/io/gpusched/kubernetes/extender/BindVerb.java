package io.gpusched.kubernetes.extender;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.gpusched.kubernetes.extender.wire.BindingArguments;
import io.gpusched.kubernetes.extender.wire.BindingResult;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Gives a pod its GPUs and binds it, in one write that is for one version of the pod alone.
 *
 * <p>Where the pod changed meanwhile, it is read and decided again. Where it cannot be told whether the write arrived, the
 * pod is read: if it is bound with this very grant, all is well; if not, its GPUs stay taken until that is settled.
 */
final class BindVerb {
    private static final Logger LOG = LoggerFactory.getLogger(BindVerb.class);
    private static final int ATTEMPTS = 3;
    private static final int CONFLICT = 409;
    private static final int TIMEOUT = 408;

    private final ClusterMirror mirror;
    private final PodApi api;
    private final String schedulerName;

    BindVerb(ClusterMirror mirror, PodApi api, String schedulerName) {
        this.schedulerName = schedulerName;
        this.mirror = mirror;
        this.api = api;
    }

    BindingResult bind(BindingArguments arguments) {
        BindingResult result = answer(arguments);
        LOG.atInfo()
                .addKeyValue(
                        "pod",
                        arguments.pod().namespace() + "/" + arguments.pod().name())
                .addKeyValue("uid", arguments.uid())
                .addKeyValue("node", arguments.node())
                .addKeyValue("result", result.error().isEmpty() ? "bound" : result.error())
                .log("bind");
        return result;
    }

    private BindingResult answer(BindingArguments arguments) {
        try {
            Optional<Pod> pod = mirror.pod(arguments.pod()).filter(known -> isOf(known, arguments));
            for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
                Optional<BindingResult> done = bind(pod.isPresent() ? pod.get() : fresh(arguments), arguments.node());
                if (done.isPresent()) {
                    return done.get();
                }
                pod = Optional.empty();
            }
            return new BindingResult("pod \"" + arguments.pod() + "\" changed again and again while it was bound");
        } catch (NoGrantException e) {
            return new BindingResult("pod \"" + arguments.pod() + "\": " + e.getMessage());
        } catch (KubernetesClientException e) {
            return new BindingResult(
                    "pod \"" + arguments.pod() + "\": the API server does not answer: " + e.getMessage());
        }
    }

    private static boolean isOf(Pod pod, BindingArguments arguments) {
        return arguments.uid().equals(pod.getMetadata().getUid());
    }

    /** Reads the pod; what was granted to a version of it before this one ends with that. */
    private Pod fresh(BindingArguments arguments) {
        Pod pod = api.get(arguments.pod())
                .filter(found -> isOf(found, arguments))
                .orElseThrow(() -> new NoGrantException("it no longer exists with uid " + arguments.uid()));
        mirror.putPod(pod);
        return pod;
    }

    /** Returns the result, or nothing if the pod must be read again. */
    private Optional<BindingResult> bind(Pod pod, String node) {
        if (ClusterMirror.isBound(pod)) {
            String there = pod.getSpec().getNodeName();
            return Optional.of(
                    there.equals(node)
                            ? BindingResult.BOUND
                            : new BindingResult("it runs on node \"" + there + "\" already"));
        }
        check(pod);
        Grant grant = mirror.grant(pod, node);
        try {
            api.bind(grant.binding().object());
            mirror.written(grant);
            return Optional.of(BindingResult.BOUND);
        } catch (KubernetesClientException e) {
            return e.getCode() == CONFLICT ? Optional.empty() : Optional.of(failed(e, grant));
        }
    }

    /** Every client that reaches this port may ask; only pods that their scheduler would bring here are bound. */
    private void check(Pod pod) {
        if (!schedulerName.equals(pod.getSpec().getSchedulerName())) {
            throw new NoGrantException("spec.schedulerName is \""
                    + pod.getSpec().getSchedulerName() + "\", this extender binds pods of \"" + schedulerName + "\"");
        }
    }

    private BindingResult failed(KubernetesClientException e, Grant grant) {
        boolean refused = e.getCode() >= 400 && e.getCode() < 500 && e.getCode() != TIMEOUT;
        if (refused) {
            mirror.withdraw(grant);
            return new BindingResult("the API server refuses the binding: " + e.getMessage());
        }
        mirror.written(grant);
        LOG.warn("whether pod {} was bound is not known: {}", grant.placement().pod(), e.getMessage());
        Optional<Pod> now = api.get(grant.placement().pod()).filter(ClusterMirror::isBound);
        return now.isPresent() && grant.binding().isHeldBy(now.get())
                ? BindingResult.BOUND
                : new BindingResult("whether it was bound is not known: " + e.getMessage());
    }
}
