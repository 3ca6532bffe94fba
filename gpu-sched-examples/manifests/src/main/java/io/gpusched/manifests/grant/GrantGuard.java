package io.gpusched.manifests.grant;

import com.fasterxml.jackson.databind.JsonNode;
import io.gpusched.manifests.forecast.RunTime;
import java.util.Iterator;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.StreamSupport;

/**
 * Who may write grants: a few accounts, and nobody else. The same rule stands in {@code deploy/policy/grants.yaml} for servers that
 * look at it themselves. Immutable and thread-safe.
 */
public final class GrantGuard {
    /**
     * Annotations of pods that say, or once said, which GPUs they hold. Of our own, users write {@code gpu-sched.io/expected-seconds}
     * alone: names that begin with {@code exp} are theirs, as Kubernetes' expressions have no better way to leave one out.
     */
    public static final String GRANTS =
            "^(gpu-sched\\.io/.*|.+\\.env\\.gpu-sched\\.io/.*|nano-gpu/.*|ALIYUN_COM_GPU_MEM_.*|"
                    + "elasticgpu\\.io/.*|tencent\\.com/(predicate-.*|gpu-assigned)|"
                    + "hami\\.io/(.*(to-allocate|allocated|allocations)|vgpu-(node|time)|bind-(time|phase))|"
                    + "volcano\\.sh/(vgpu-(ids|ids-new|node|time)|gpu-index|predicate-time)|"
                    + "(AWS_)?NEURON_.*|[a-z.]+/predicate-node|huawei\\.com/Ascend.*|"
                    + "mthreads\\.com/gpu-index)$";

    /** Resources that mean GPUs to any of the dialects. */
    public static final String DEVICES =
            "^(tensorstack\\.dev/nvidia-gpu.*|nvidia\\.com/(gpu.*|mig-.*|priority)|nano-gpu/.*|"
                    + "aliyun\\.com/gpu-.*|elasticgpu\\.(io|com)/.*|iluvatar\\.ai/.*|tencent\\.com/vcuda-.*|volcano\\.sh/v?gpu-.*|"
                    + "(amd|intel|gpu\\.intel|huawei|cambricon|hygon|metax-tech|mthreads|enflame|kunlunxin|"
                    + "iluvatar|iluvatar\\.ai|vastaitech|biren|birentech|aws\\.amazon|google)\\.com/.*)$";

    private static final Pattern GRANT = Pattern.compile(GRANTS);
    private static final Pattern DEVICE = Pattern.compile(DEVICES);

    private final Set<String> accounts;

    /** Creates the rule with the names of those who may write grants, as {@code system:serviceaccount:gpu-sched:gpu-sched-kube}. */
    public GrantGuard(Set<String> accounts) {
        this.accounts = Set.copyOf(accounts);
    }

    /** Returns why a request of a review of admission for a pod is not allowed; nothing if it is. */
    public Optional<String> refusal(JsonNode request) {
        if (accounts.contains(request.path("userInfo").path("username").asText())) {
            return Optional.empty();
        }
        JsonNode after = request.path("object").path("metadata").path("annotations");
        JsonNode before = request.path("oldObject").path("metadata").path("annotations");
        Optional<String> written = grants(after, before).or(() -> grants(before, after));
        if (written.isPresent()) {
            return written.map(key -> "annotation " + key + ": only the scheduler writes grants of GPUs");
        }
        return isPlacedPast(request)
                ? Optional.of("spec.nodeName must be empty: a pod that asks for GPUs is placed by its scheduler")
                : Optional.empty();
    }

    private static Optional<String> grants(JsonNode here, JsonNode there) {
        for (Iterator<String> keys = here.fieldNames(); keys.hasNext(); ) {
            String key = keys.next();
            if (isGrant(key) && !here.get(key).equals(there.get(key))) {
                return Optional.of(key);
            }
        }
        return Optional.empty();
    }

    /** Returns whether an annotation of a pod is a part of a grant, and not {@link RunTime#EXPECTED}, which is for users to write. */
    public static boolean isGrant(String annotation) {
        return !annotation.equals(RunTime.EXPECTED) && GRANT.matcher(annotation).matches();
    }

    private static boolean isPlacedPast(JsonNode request) {
        JsonNode spec = request.path("object").path("spec");
        return "CREATE".equals(request.path("operation").asText())
                && request.path("subResource").asText().isEmpty()
                && !spec.path("nodeName").asText().isEmpty()
                && (asksForGpus(spec.path("containers")) || asksForGpus(spec.path("initContainers")));
    }

    private static boolean asksForGpus(JsonNode containers) {
        return StreamSupport.stream(containers.spliterator(), false)
                .map(container -> container.path("resources"))
                .anyMatch(resources -> asks(resources.path("limits")) || asks(resources.path("requests")));
    }

    private static boolean asks(JsonNode amounts) {
        for (Iterator<String> names = amounts.fieldNames(); names.hasNext(); ) {
            if (DEVICE.matcher(names.next()).matches()) {
                return true;
            }
        }
        return false;
    }
}
