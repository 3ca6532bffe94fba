package io.gpusched.manifests.grant;

import com.fasterxml.jackson.databind.JsonNode;
import io.gpusched.dialect.Dialect;
import io.gpusched.manifests.dialect.Dialects;
import io.gpusched.manifests.forecast.RunTime;
import java.util.Iterator;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/**
 * Which accounts may write grants, and say which devices a container sees. The same rules stand in
 * {@code deploy/policy} for servers that look at them themselves. Immutable and thread-safe.
 */
public final class GrantGuard {
    /** Of the annotations of any dialect: our own, and the environment that is granted. */
    private static final Set<String> OWN = Set.of("gpu-sched.io/*", "*" + GrantAnnotations.ENVIRONMENT + "*");

    /** The variable by which NVIDIA's container runtime is told which devices a container sees. */
    public static final String DEVICES_SEEN = "NVIDIA_VISIBLE_DEVICES";

    private static final Set<String> NO_DEVICES = Set.of("", "none", "void");

    private static final Map<Set<String>, Pattern> BY_NAMES = new ConcurrentHashMap<>();

    /** Gathered when it is asked for: dialects are not made for their names alone. */
    private static final class Grants {
        static final String EXPRESSION = expression(Stream.concat(
                OWN.stream(),
                Dialects.known().stream()
                        .flatMap(name -> Dialects.find(name).orElseThrow().dialect().grants().stream())));
        static final Pattern PATTERN = Pattern.compile(EXPRESSION);
    }

    /** Resources that mean GPUs to any of the dialects. */
    public static final String DEVICES =
            "^(tensorstack\\.dev/nvidia-gpu.*|nvidia\\.com/(gpu.*|mig-.*|priority)|nano-gpu/.*|"
                    + "aliyun\\.com/gpu-.*|elasticgpu\\.(io|com)/.*|iluvatar\\.ai/.*|tencent\\.com/vcuda-.*|volcano\\.sh/v?gpu-.*|"
                    + "(amd|intel|gpu\\.intel|huawei|cambricon|hygon|metax-tech|mthreads|enflame|kunlunxin|"
                    + "iluvatar|iluvatar\\.ai|vastaitech|biren|birentech|aws\\.amazon|google)\\.com/.*)$";

    private static final Pattern DEVICE = Pattern.compile(DEVICES);

    private final Set<String> accounts;

    /**
     * Returns a regular expression of the annotations that are grants: ours, and the annotations that any of the dialects may write. It takes in
     * {@link RunTime#EXPECTED} too, which is for users to write.
     */
    public static String grants() {
        return Grants.EXPRESSION;
    }

    /** A regular expression of names in which {@code *} stands for any text. */
    private static String expression(Stream<String> names) {
        return names.distinct()
                .sorted()
                .map(name -> name.replace(".", "\\.").replace("*", ".*"))
                .collect(Collectors.joining("|", "^(", ")$"));
    }

    /**
     * Returns the annotations that a dialect writes.
     *
     * @throws IllegalStateException if one of them is not among its {@link Dialect#grants}, so that others could write it as well
     */
    static Map<String, String> checked(Dialect dialect, Map<String, String> annotations) {
        Pattern grants =
                BY_NAMES.computeIfAbsent(dialect.grants(), names -> Pattern.compile(expression(names.stream())));
        for (String name : annotations.keySet()) {
            if (!grants.matcher(name).matches()) {
                throw new IllegalStateException("dialect " + dialect.name() + ": annotation " + name
                        + " is written, and is not guarded as a grant");
            }
        }
        return annotations;
    }

    /** Creates the rule with the names of the accounts that may write grants, as {@code system:serviceaccount:gpu-sched:gpu-sched-kube}. */
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
        if (isPlacedPast(request)) {
            return Optional.of("spec.nodeName must be empty: a pod that requests GPUs is placed by its scheduler");
        }
        return exposed(request)
                .map(container -> "container \"" + container + "\": " + DEVICES_SEEN
                        + " is the scheduler's; a container may set it to none or void alone");
    }

    /** The first container that asks for devices by a variable. What is there already was let through, or came before us. */
    private static Optional<String> exposed(JsonNode request) {
        boolean isNew = "CREATE".equals(request.path("operation").asText())
                && request.path("subResource").asText().isEmpty();
        boolean isDebugged =
                "ephemeralcontainers".equals(request.path("subResource").asText());
        JsonNode spec = request.path("object").path("spec");
        return Stream.of("containers", "initContainers", "ephemeralContainers")
                .filter(list -> list.startsWith("ephemeral") ? isDebugged : isNew)
                .flatMap(list -> StreamSupport.stream(spec.path(list).spliterator(), false))
                .filter(GrantGuard::isExposed)
                .map(container -> container.path("name").asText())
                .findFirst();
    }

    private static boolean isExposed(JsonNode container) {
        String granted = "metadata.annotations['"
                + GrantAnnotations.variable(container.path("name").asText(), DEVICES_SEEN) + "']";
        return StreamSupport.stream(container.path("env").spliterator(), false)
                .filter(variable -> DEVICES_SEEN.equals(variable.path("name").asText()))
                .anyMatch(variable -> variable.hasNonNull("valueFrom")
                        ? !granted.equals(
                                variable.at("/valueFrom/fieldRef/fieldPath").asText())
                        : !NO_DEVICES.contains(variable.path("value").asText()));
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
        return !annotation.equals(RunTime.EXPECTED)
                && Grants.PATTERN.matcher(annotation).matches();
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
