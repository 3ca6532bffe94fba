package io.gpusched.testkit;

import io.gpusched.decision.Certainty;
import io.gpusched.decision.Decision;
import io.gpusched.decision.Placed;
import io.gpusched.decision.Unschedulable;
import io.gpusched.model.Cluster;
import io.gpusched.model.ContainerGrant;
import io.gpusched.model.GpuGrant;
import io.gpusched.model.GpuShare;
import io.gpusched.model.Placement;
import io.gpusched.verify.Verifier;
import io.gpusched.verify.Violation;
import io.gpusched.workload.Pod;
import java.util.Arrays;
import java.util.List;
import org.assertj.core.api.AbstractAssert;

/** Assertions on a decision about one pod, e.g. {@code assertThat(decision).isPlacedOn("n1").usingGpus(0, 3)}. */
public final class DecisionAssert extends AbstractAssert<DecisionAssert, Decision> {
    /** How many places the checker tries of a refusal that is proven. */
    static final long TRIES = 100_000;

    DecisionAssert(Decision actual) {
        super(actual, DecisionAssert.class);
    }

    /** Fails unless the pod was placed. */
    public DecisionAssert isPlaced() {
        placement();
        return this;
    }

    /** Fails unless the pod was placed on the node of this name. */
    public DecisionAssert isPlacedOn(String node) {
        if (!placement().node().equals(node)) {
            failWithMessage("expected a place on node <%s>, got <%s>", node, actual);
        }
        return this;
    }

    /** Fails unless the pod as a whole holds something of exactly these GPUs. */
    public DecisionAssert usingGpus(Integer... gpus) {
        List<Integer> expected = Arrays.asList(gpus);
        if (!placement().gpus().equals(expected)) {
            failWithMessage("expected gpus %s, got <%s>", expected, actual);
        }
        return this;
    }

    /** Fails unless one container holds something of exactly these GPUs. */
    public DecisionAssert usingGpusIn(String container, Integer... gpus) {
        List<Integer> expected = Arrays.asList(gpus);
        if (!grant(container).indexes().equals(expected)) {
            failWithMessage("expected gpus %s in container <%s>, got <%s>", expected, container, actual);
        }
        return this;
    }

    /** Fails unless one container's grant is exactly this. */
    public DecisionAssert granting(String container, GpuGrant expected) {
        if (!grant(container).equals(expected)) {
            failWithMessage("expected <%s> in container <%s>, got <%s>", expected, container, actual);
        }
        return this;
    }

    /** Fails unless the pod's only container holds this part of one GPU. */
    public DecisionAssert withShare(int gpu, int computeMillis, long memoryMib) {
        GpuGrant expected = new GpuGrant.Shared(List.of(new GpuShare(gpu, computeMillis, memoryMib, 1)));
        return granting(placement().containers().get(0).container(), expected);
    }

    /** Fails unless the pod was refused, and the refusal is proven. */
    public DecisionAssert isRefused() {
        isNotNull();
        if (!(actual instanceof Unschedulable refusal) || refusal.certainty() != Certainty.PROVEN) {
            failWithMessage("expected a proven refusal, got <%s>", actual);
        }
        return this;
    }

    /** Fails unless the decision keeps every law that the checker knows, for this pod in the snapshot it was made for. */
    public DecisionAssert keepsEveryLaw(Cluster before, Pod pod) {
        isNotNull();
        List<Violation> broken = Verifier.ofTries(TRIES).check(before, pod, actual);
        if (!broken.isEmpty()) {
            failWithMessage("expected a decision that keeps every law, got <%s>, which breaks %s", actual, broken);
        }
        return this;
    }

    /** Returns the placement; fails if there is none. */
    public Placement placement() {
        isNotNull();
        if (!(actual instanceof Placed placed)) {
            throw failure("expected a place, got <%s>\n%s", actual, ((Unschedulable) actual).diagnosis());
        }
        return placed.placement();
    }

    private GpuGrant grant(String container) {
        for (ContainerGrant grant : placement().containers()) {
            if (grant.container().equals(container)) {
                return grant.gpus();
            }
        }
        throw failure("expected a container <%s>, got <%s>", container, actual);
    }
}
