package io.gpusched.cel;

import com.google.common.collect.ImmutableCollection;
import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSet;
import dev.cel.common.CelAbstractSyntaxTree;
import dev.cel.common.CelOptions;
import dev.cel.common.CelValidationException;
import dev.cel.common.CelValidationResult;
import dev.cel.common.types.CelKind;
import dev.cel.common.types.CelType;
import dev.cel.common.types.CelTypeProvider;
import dev.cel.common.types.MapType;
import dev.cel.common.types.SimpleType;
import dev.cel.common.types.StructType;
import dev.cel.compiler.CelCompiler;
import dev.cel.compiler.CelCompilerFactory;
import dev.cel.extensions.CelExtensions;
import dev.cel.parser.CelStandardMacro;
import dev.cel.runtime.CelEvaluationException;
import dev.cel.runtime.CelFunctionBinding;
import dev.cel.runtime.CelRuntime;
import dev.cel.runtime.CelRuntimeFactory;
import dev.cel.runtime.CelStandardFunctions;
import dev.cel.runtime.standard.InOperator;
import io.gpusched.check.Checks;
import io.gpusched.claim.Device;
import io.gpusched.claim.DeviceSelector;
import io.gpusched.claim.ResourceSlice;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Selectors of device classes and claims in CEL, as Kubernetes 1.38 reads them: {@code device.driver}, {@code device.attributes}, {@code
 * device.capacity}, {@code device.allowMultipleAllocations}, and Kubernetes' functions of quantities and versions.
 *
 * <p>A text that does not compile is a selector that is {@link DeviceSelector.Kind#MALFORMED}; one that cannot be evaluated on a device
 * throws there, with the reason. Equal texts give the same selector, so that equal claims are known as such.
 *
 * <p>Example: {@code CelSelectors.create().of("device.driver == 'gpu.nvidia.com' && device.capacity['gpu.nvidia.com'].memory.compareTo(quantity('40Gi')) >= 0")}.
 *
 * <p>Thread-safe. The first text takes half a second, since classes are loaded; later ones some hundred microseconds, and an evaluation ten.
 */
public final class CelSelectors {
    /** The most characters of a text (Kubernetes' limit is 10 KiB). */
    public static final int MOST_CHARACTERS = 10 * 1024;

    /** What a selector says that costs more than it may. */
    public static final String TOO_COSTLY = "operation cancelled: actual cost limit exceeded";

    private static final String DEVICE = "DRADevice";
    private static final CelType ATTRIBUTES =
            MapType.create(SimpleType.STRING, MapType.create(SimpleType.STRING, SimpleType.DYN));
    private static final CelType CAPACITY =
            MapType.create(SimpleType.STRING, MapType.create(SimpleType.STRING, CelFunctions.QUANTITY));
    private static final Map<String, CelType> FIELDS = Map.of(
            "driver",
            SimpleType.STRING,
            "attributes",
            ATTRIBUTES,
            "capacity",
            CAPACITY,
            "allowMultipleAllocations",
            SimpleType.BOOL);

    private final CelCompiler compiler;
    private final CelRuntime runtime;
    private final Map<String, DeviceSelector> known = new ConcurrentHashMap<>();

    private final long mostCost;

    private CelSelectors(long mostCost) {
        this.mostCost = mostCost;
        CelOptions options =
                CelOptions.current().enableHeterogeneousNumericComparisons(true).build();
        StructType device = StructType.create(
                DEVICE, ImmutableSet.copyOf(FIELDS.keySet()), field -> Optional.ofNullable(FIELDS.get(field)));
        compiler = CelCompilerFactory.standardCelCompilerBuilder()
                .setOptions(options)
                .setStandardMacros(CelStandardMacro.STANDARD_MACROS)
                .addLibraries(
                        CelExtensions.strings(),
                        CelExtensions.bindings(),
                        CelExtensions.optional(),
                        CelExtensions.sets(options))
                .setTypeProvider(new OneType(device))
                .addVar("device", device)
                .addFunctionDeclarations(CelFunctions.declarations())
                .build();
        runtime = CelRuntimeFactory.legacyCelRuntimeBuilder()
                .setOptions(options)
                .addLibraries(CelExtensions.strings(), CelExtensions.optional(), CelExtensions.sets(options))
                .setStandardEnvironmentEnabled(false)
                .setStandardFunctions(CelStandardFunctions.newBuilder()
                        .filterFunctions((function, overload) -> overload != InOperator.InOverload.IN_MAP)
                        .build())
                .addFunctionBindings(CelFunctions.bindings())
                .addFunctionBindings(CelFunctionBinding.from("in_map", Object.class, Map.class, CelDevice::isKey))
                .build();
    }

    /** The type of a device, and no other. */
    private record OneType(CelType type) implements CelTypeProvider {
        @Override
        public ImmutableCollection<CelType> types() {
            return ImmutableList.of(type);
        }

        @Override
        public Optional<CelType> findType(String name) {
            return name.equals(type.name()) ? Optional.of(type) : Optional.empty();
        }
    }

    /** Returns a reader of selectors, which may cost what they may in Kubernetes: 1,000,000, and so up to a fifth of a second for each device. */
    public static CelSelectors create() {
        return new CelSelectors(CelCost.LIMIT);
    }

    /**
     * Returns a reader of selectors that may cost less.
     *
     * @param mostCost how much for each device, in Kubernetes' units, 1..1,000,000; {@code device.driver == 'a'} costs 3
     * @throws IllegalArgumentException if it is out of range
     */
    public static CelSelectors create(long mostCost) {
        Checks.inRange("selectors", "mostCost", mostCost, 1, CelCost.LIMIT);
        return new CelSelectors(mostCost);
    }

    /** Returns the selector of a text. */
    public DeviceSelector of(String text) {
        return known.computeIfAbsent(Objects.requireNonNull(text, "text"), this::read);
    }

    private DeviceSelector read(String text) {
        return problem(text).isPresent() ? DeviceSelector.malformed(text) : usable(text);
    }

    /** Returns why a text is no selector; empty if it is one. */
    public Optional<String> problem(String text) {
        Objects.requireNonNull(text, "text");
        if (text.length() > MOST_CHARACTERS) {
            return Optional.of("must have at most " + MOST_CHARACTERS + " characters, got " + text.length());
        }
        CelValidationResult checked = compiler.compile(text);
        if (checked.hasError()) {
            return Optional.of(checked.getErrorString());
        }
        try {
            CelType type = checked.getAst().getResultType();
            boolean isTruth = type.kind() == CelKind.BOOL || type.kind() == CelKind.DYN || type.kind() == CelKind.ANY;
            return isTruth ? Optional.empty() : Optional.of("must evaluate to bool, got " + type.name());
        } catch (CelValidationException e) {
            return Optional.of(String.valueOf(e.getMessage()));
        }
    }

    private DeviceSelector usable(String text) {
        try {
            CelAbstractSyntaxTree tree = compiler.compile(text).getAst();
            CelRuntime.Program program = runtime.createProgram(tree);
            return DeviceSelector.of(
                    text, (slice, device) -> evaluate(program, slice, device, new CelCost(tree, mostCost)));
        } catch (CelValidationException | CelEvaluationException e) {
            return DeviceSelector.malformed(text);
        }
    }

    /** Returns what it costs to evaluate a text that compiles, up to where it fails. */
    long cost(String text, ResourceSlice slice, Device device) throws CelValidationException, CelEvaluationException {
        CelAbstractSyntaxTree tree = compiler.compile(text).getAst();
        CelCost cost = new CelCost(tree, mostCost);
        try {
            evaluate(runtime.createProgram(tree), slice, device, cost);
        } catch (DeviceSelector.SelectorException e) {
            return cost.spent();
        }
        return cost.spent();
    }

    private static boolean evaluate(CelRuntime.Program program, ResourceSlice slice, Device device, CelCost cost)
            throws DeviceSelector.SelectorException {
        Object result;
        try {
            result = program.trace(Map.of("device", CelDevice.of(slice.driver(), device)), cost);
        } catch (CelEvaluationException | CelCost.ExceededException e) {
            String why = cost.isExceeded() ? TOO_COSTLY : e.getMessage();
            throw new DeviceSelector.SelectorException(String.valueOf(why));
        }
        if (result instanceof Boolean accepted) {
            return accepted;
        }
        throw new DeviceSelector.SelectorException("must evaluate to bool, got " + result);
    }
}
