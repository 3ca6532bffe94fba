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
import dev.cel.extensions.CelStringExtensions;
import dev.cel.parser.CelStandardMacro;
import dev.cel.runtime.CelEvaluationException;
import dev.cel.runtime.CelFunctionBinding;
import dev.cel.runtime.CelRuntime;
import dev.cel.runtime.CelRuntimeFactory;
import dev.cel.runtime.CelStandardFunctions;
import dev.cel.runtime.standard.InOperator;
import dev.cel.runtime.standard.MatchesFunction;
import io.gpusched.check.Checks;
import io.gpusched.claim.Device;
import io.gpusched.claim.DeviceSelector;
import io.gpusched.claim.ResourceSlice;
import java.util.EnumSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Selectors of device classes and claims in CEL, as Kubernetes 1.38 reads them: {@code device.driver}, {@code device.attributes}, {@code
 * device.capacity}, {@code device.allowMultipleAllocations}, and Kubernetes' functions of quantities and versions.
 *
 * <p>A text that does not compile is a selector that is {@link DeviceSelector.Kind#MALFORMED}; one that cannot be evaluated on a device
 * throws there, with the reason. Equal texts give the same selector, so that equal claims are known as such.
 *
 * <p>Example: {@code CelSelectors.create().of("device.driver == 'gpu.nvidia.com' && device.capacity['gpu.nvidia.com'].memory.compareTo(quantity('40Gi')) >= 0")}.
 *
 * <p>Texts are foreign: what an evaluation may cost has a limit, and so has what it may make (a text, a list) or nest. Those that were
 * asked last stay compiled, as far as they have {@value #MOST_COMPILED} characters together; others are compiled again when they are asked.
 *
 * <p>Thread-safe. The first text takes half a second, since classes are loaded; later ones some hundred microseconds, and an evaluation ten.
 */
public final class CelSelectors {
    /** The most characters of a text (Kubernetes' limit is 10 KiB). */
    public static final int MOST_CHARACTERS = 10 * 1024;

    /** What a selector says that costs more than it may. */
    public static final String TOO_COSTLY = "operation cancelled: actual cost limit exceeded";

    /** With what a selector begins to say why its text is no expression. */
    public static final String UNREADABLE = "it is no expression: ";

    /** A text of this length takes some twenty megabytes. */
    private static final int MOST_COMPILED = 256 * 1024;

    /** What it costs to compile a character, in the units of evaluations. */
    private static final long COST_OF_A_CHARACTER = 20;

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
    private final AtomicLong spent = new AtomicLong();

    /** The texts that were asked last. */
    private final Map<String, Compiled> compiled = new LinkedHashMap<>(16, 0.75f, true);

    private int characters;
    private final long mostCost;

    /** Functions whose results may be far larger than what they are given: {@link CelFunctions} has them. */
    private static final EnumSet<CelStringExtensions.Function> BOUNDED =
            EnumSet.of(CelStringExtensions.Function.REPLACE, CelStringExtensions.Function.JOIN);

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
                .addLibraries(
                        CelExtensions.strings(EnumSet.complementOf(BOUNDED)),
                        CelExtensions.optional(),
                        CelExtensions.sets(options))
                .setStandardEnvironmentEnabled(false)
                .setStandardFunctions(CelStandardFunctions.newBuilder()
                        .filterFunctions((function, overload) -> overload != InOperator.InOverload.IN_MAP
                                && !(overload instanceof MatchesFunction.MatchesOverload))
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
        return compiled(Objects.requireNonNull(text, "text")).program() == null
                ? DeviceSelector.malformed(text)
                : later(text);
    }

    /** As {@link #of}, of a text that is read only when a device is asked about: one that does not compile says {@link #UNREADABLE} then. */
    public DeviceSelector later(String text) {
        return DeviceSelector.of(text, new Asked(this, text));
    }

    /** Equal texts are one function. */
    private record Asked(CelSelectors selectors, String text) implements DeviceSelector.Predicate {
        @Override
        public boolean accepts(ResourceSlice slice, Device device) throws DeviceSelector.SelectorException {
            return selectors.accepts(text, slice, device);
        }
    }

    /** Returns what all texts and evaluations have cost so far, in Kubernetes' units of CEL cost. */
    public long spent() {
        return spent.get();
    }

    /** Returns why a text is no selector; empty if it is one. */
    public Optional<String> problem(String text) {
        Compiled one = compiled(Objects.requireNonNull(text, "text"));
        return one.program() == null ? Optional.of(one.problem()) : Optional.empty();
    }

    /** A text that was compiled, or why it cannot be. */
    private record Compiled(
            @Nullable CelAbstractSyntaxTree tree, CelRuntime.@Nullable Program program, String problem) {
        static Compiled not(String problem) {
            return new Compiled(null, null, problem);
        }
    }

    private synchronized Compiled compiled(String text) {
        Compiled known = compiled.get(text);
        if (known != null) {
            return known;
        }
        Compiled now = compile(text);
        spent.addAndGet(COST_OF_A_CHARACTER * text.length());
        compiled.put(text, now);
        characters += text.length();
        Iterator<String> oldest = compiled.keySet().iterator();
        while (characters > MOST_COMPILED && compiled.size() > 1) {
            characters -= oldest.next().length();
            oldest.remove();
        }
        return now;
    }

    private Compiled compile(String text) {
        if (text.length() > MOST_CHARACTERS) {
            return Compiled.not("must have at most " + MOST_CHARACTERS + " characters, got " + text.length());
        }
        try {
            CelValidationResult checked = compiler.compile(text);
            if (checked.hasError()) {
                return Compiled.not(checked.getErrorString());
            }
            CelAbstractSyntaxTree tree = checked.getAst();
            CelType type = tree.getResultType();
            boolean isTruth = type.kind() == CelKind.BOOL || type.kind() == CelKind.DYN || type.kind() == CelKind.ANY;
            return isTruth
                    ? new Compiled(tree, runtime.createProgram(tree), "")
                    : Compiled.not("must evaluate to bool, got " + type.name());
        } catch (CelValidationException | CelEvaluationException e) {
            return Compiled.not(String.valueOf(e.getMessage()));
        } catch (StackOverflowError e) {
            return Compiled.not("is nested too deep");
        }
    }

    private boolean accepts(String text, ResourceSlice slice, Device device) throws DeviceSelector.SelectorException {
        Compiled one = compiled(text);
        if (one.program() == null || one.tree() == null) {
            throw new DeviceSelector.SelectorException(UNREADABLE + one.problem());
        }
        CelCost cost = new CelCost(one.tree(), mostCost);
        try {
            return evaluate(one.program(), slice, device, cost);
        } finally {
            spent.addAndGet(cost.spent());
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
        } catch (StackOverflowError e) {
            throw new DeviceSelector.SelectorException("evaluation error: nested too deep");
        }
        if (result instanceof Boolean accepted) {
            return accepted;
        }
        throw new DeviceSelector.SelectorException("must evaluate to bool, got " + result);
    }
}
