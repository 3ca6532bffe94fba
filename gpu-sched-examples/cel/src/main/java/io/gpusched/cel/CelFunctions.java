package io.gpusched.cel;

import dev.cel.common.CelFunctionDecl;
import dev.cel.common.CelOverloadDecl;
import dev.cel.common.types.CelType;
import dev.cel.common.types.OpaqueType;
import dev.cel.common.types.SimpleType;
import dev.cel.runtime.CelFunctionBinding;
import io.gpusched.claim.DeviceAmount;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Kubernetes' functions of quantities and versions. */
@SuppressWarnings("Immutable") // the functions are lambdas without state, which the type of a parameter cannot say
final class CelFunctions {
    static final CelType QUANTITY = OpaqueType.create("kubernetes.Quantity");
    static final CelType SEMVER = OpaqueType.create("kubernetes.Semver");

    private static final Pattern TEXT = Pattern.compile(
            "([+-]?(?:[0-9]+(?:\\.[0-9]*)?|\\.[0-9]+))(?:([numkMGTPE]|[KMGTPE]i)|[eE]([+-]?[0-9]{1,3}))?");
    /** Suffixes from 10^-9 in steps of a thousand; the blank is 1. */
    private static final String DECIMAL = "num kMGTPE";

    private static final String BINARY = "KMGTPE";
    private static final BigInteger UNIT = BigInteger.TEN.pow(9);

    private final Map<String, List<CelOverloadDecl>> declared = new LinkedHashMap<>();
    private final List<CelFunctionBinding> bound = new ArrayList<>();

    private CelFunctions() {
        global("quantity", QUANTITY, text -> quantity(text).orElseThrow(() -> wrong("quantity", text)));
        global("isQuantity", SimpleType.BOOL, text -> quantity(text).isPresent());
        global("semver", SEMVER, text -> SemanticVersion.parse(text).orElseThrow(() -> wrong("version", text)));
        global("isSemver", SimpleType.BOOL, text -> SemanticVersion.parse(text).isPresent());
        loose("semver", SEMVER, (text, isLoose) -> version(text, isLoose).orElseThrow(() -> wrong("version", text)));
        loose(
                "isSemver",
                SimpleType.BOOL,
                (text, isLoose) -> version(text, isLoose).isPresent());
        compare("quantity", QUANTITY, DeviceAmount.class);
        compare("semver", SEMVER, SemanticVersion.class);
        member(
                "add",
                "quantity",
                QUANTITY,
                QUANTITY,
                QUANTITY,
                DeviceAmount.class,
                DeviceAmount.class,
                DeviceAmount::plus);
        member(
                "sub",
                "quantity",
                QUANTITY,
                QUANTITY,
                QUANTITY,
                DeviceAmount.class,
                DeviceAmount.class,
                DeviceAmount::minus);
        member(
                "add",
                "int",
                QUANTITY,
                QUANTITY,
                SimpleType.INT,
                DeviceAmount.class,
                Long.class,
                (a, b) -> a.plus(DeviceAmount.of(b)));
        member(
                "sub",
                "int",
                QUANTITY,
                QUANTITY,
                SimpleType.INT,
                DeviceAmount.class,
                Long.class,
                (a, b) -> a.minus(DeviceAmount.of(b)));
        property("asInteger", SimpleType.INT, QUANTITY, DeviceAmount.class, CelFunctions::asInteger);
        property("isInteger", SimpleType.BOOL, QUANTITY, DeviceAmount.class, CelFunctions::isInteger);
        property("asApproximateFloat", SimpleType.DOUBLE, QUANTITY, DeviceAmount.class, CelFunctions::asFloat);
        property("sign", SimpleType.INT, QUANTITY, DeviceAmount.class, one -> (long) one.compareTo(DeviceAmount.ZERO));
        property("major", SimpleType.INT, SEMVER, SemanticVersion.class, SemanticVersion::major);
        property("minor", SimpleType.INT, SEMVER, SemanticVersion.class, SemanticVersion::minor);
        property("patch", SimpleType.INT, SEMVER, SemanticVersion.class, SemanticVersion::patch);
        find();
        bounded();
    }

    /** Kubernetes' functions of regular expressions. */
    private void find() {
        declare(
                "find",
                CelOverloadDecl.newMemberOverload(
                        "kubernetes_find", SimpleType.STRING, SimpleType.STRING, SimpleType.STRING));
        bound.add(CelFunctionBinding.from("kubernetes_find", String.class, String.class, (text, regex) -> {
            com.google.re2j.Matcher matcher = BoundedTexts.regex(regex).matcher(text);
            return matcher.find() ? matcher.group() : "";
        }));
        for (String overload : List.of("matches", "matches_string")) {
            bound.add(CelFunctionBinding.from(
                    overload,
                    String.class,
                    String.class,
                    (text, regex) -> BoundedTexts.regex(regex).matcher(text).find()));
        }
    }

    /** Functions of texts that may make large ones of small ones. */
    private void bounded() {
        bound.add(CelFunctionBinding.from(
                "string_replace_string_string",
                List.of(String.class, String.class, String.class),
                args -> BoundedTexts.replace((String) args[0], (String) args[1], (String) args[2], Integer.MAX_VALUE)));
        bound.add(CelFunctionBinding.from(
                "string_replace_string_string_int",
                List.of(String.class, String.class, String.class, Long.class),
                args -> BoundedTexts.replace((String) args[0], (String) args[1], (String) args[2], (Long) args[3])));
        bound.add(CelFunctionBinding.from("list_join", List.class, list -> BoundedTexts.join(list, "")));
        bound.add(CelFunctionBinding.from("list_join_string", List.class, String.class, BoundedTexts::join));
    }

    static List<CelFunctionDecl> declarations() {
        List<CelFunctionDecl> declarations = new ArrayList<>();
        new CelFunctions()
                .declared.forEach(
                        (name, overloads) -> declarations.add(CelFunctionDecl.newFunctionDeclaration(name, overloads)));
        return declarations;
    }

    static List<CelFunctionBinding> bindings() {
        return new CelFunctions().bound;
    }

    private static IllegalArgumentException wrong(String what, String text) {
        return new IllegalArgumentException("must be a " + what + ", got \"" + text + "\"");
    }

    /** Reads a quantity, such as {@code 40Gi}, {@code 1.5} or {@code 1e3}. */
    static Optional<DeviceAmount> quantity(String text) {
        Matcher parts = TEXT.matcher(text);
        if (!parts.matches()) {
            return Optional.empty();
        }
        BigDecimal number = new BigDecimal(parts.group(1));
        String suffix = parts.group(2) == null ? "" : parts.group(2);
        if (parts.group(3) != null) {
            number = number.scaleByPowerOfTen(Integer.parseInt(parts.group(3)));
        } else if (suffix.endsWith("i")) {
            number = number.multiply(
                    new BigDecimal(BigInteger.ONE.shiftLeft(10 * (BINARY.indexOf(suffix.charAt(0)) + 1))));
        } else if (!suffix.isEmpty()) {
            number = number.scaleByPowerOfTen(3 * (DECIMAL.indexOf(suffix) - 3));
        }
        return Optional.of(DeviceAmount.of(number));
    }

    private static Optional<SemanticVersion> version(String text, boolean isLoose) {
        return isLoose ? SemanticVersion.normalized(text) : SemanticVersion.parse(text);
    }

    private static boolean isInteger(DeviceAmount amount) {
        return amount.billionths().mod(UNIT).signum() == 0
                && amount.billionths().divide(UNIT).bitLength() < Long.SIZE;
    }

    private static long asInteger(DeviceAmount amount) {
        if (!isInteger(amount)) {
            throw new IllegalArgumentException("cannot convert value to integer: " + amount);
        }
        return amount.billionths().divide(UNIT).longValueExact();
    }

    private static double asFloat(DeviceAmount amount) {
        return new BigDecimal(amount.billionths(), 9).doubleValue();
    }

    private void declare(String name, CelOverloadDecl overload) {
        declared.computeIfAbsent(name, key -> new ArrayList<>()).add(overload);
    }

    private void global(String name, CelType result, Function<String, Object> function) {
        String id = "kubernetes_" + name;
        declare(name, CelOverloadDecl.newGlobalOverload(id, result, SimpleType.STRING));
        bound.add(CelFunctionBinding.from(id, String.class, function::apply));
    }

    private void loose(String name, CelType result, BiFunction<String, Boolean, Object> function) {
        String id = "kubernetes_" + name + "_loose";
        declare(name, CelOverloadDecl.newGlobalOverload(id, result, SimpleType.STRING, SimpleType.BOOL));
        bound.add(CelFunctionBinding.from(id, String.class, Boolean.class, function::apply));
    }

    private <T extends Comparable<T>> void compare(String kind, CelType type, Class<T> values) {
        member("isGreaterThan", kind, SimpleType.BOOL, type, type, values, values, (a, b) -> a.compareTo(b) > 0);
        member("isLessThan", kind, SimpleType.BOOL, type, type, values, values, (a, b) -> a.compareTo(b) < 0);
        member("compareTo", kind, SimpleType.INT, type, type, values, values, (a, b) ->
                (long) Integer.signum(a.compareTo(b)));
    }

    private <T, U> void member(
            String name,
            String kind,
            CelType result,
            CelType receiver,
            CelType argument,
            Class<T> values,
            Class<U> arguments,
            BiFunction<T, U, Object> function) {
        String id = "kubernetes_" + name + "_" + kind;
        declare(name, CelOverloadDecl.newMemberOverload(id, result, receiver, argument));
        bound.add(CelFunctionBinding.from(id, values, arguments, function::apply));
    }

    private <T> void property(
            String name, CelType result, CelType receiver, Class<T> values, Function<T, Object> function) {
        String id = "kubernetes_" + name;
        declare(name, CelOverloadDecl.newMemberOverload(id, result, receiver));
        bound.add(CelFunctionBinding.from(id, values, function::apply));
    }
}
