package io.gpusched.api;

import io.gpusched.model.Cluster;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.Constructor;
import java.lang.reflect.Executable;
import java.lang.reflect.Field;
import java.lang.reflect.Member;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.lang.reflect.TypeVariable;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What a user of the library can name, one line a type and one line a member, sorted: types of exported packages that are
 * public all the way out, and their public and (where a class can be extended) protected members, those of hidden parents
 * included. {@code equals}, {@code hashCode} and {@code toString} are left out.
 */
record PublicApi(List<String> lines) {
    private static final Path MODULE_INFO = Path.of("src/main/java/module-info.java");
    private static final Pattern EXPORTS = Pattern.compile("^\\s*exports ([\\w.]+);", Pattern.MULTILINE);
    private static final Set<String> OF_EVERY_OBJECT = Set.of("equals", "hashCode", "toString");

    static PublicApi ofExportedPackages() {
        TreeMap<String, List<String>> types = new TreeMap<>();
        for (String exported : exportedPackages()) {
            for (Class<?> type : classesOf(exported)) {
                if (isReachable(type)) {
                    types.put(type.getName(), describe(type));
                }
            }
        }
        return new PublicApi(types.values().stream().flatMap(List::stream).toList());
    }

    /** The line of a type, then those of its members: constructors, methods, fields. */
    static List<String> describe(Class<?> type) {
        List<String> lines = new ArrayList<>();
        lines.add(headOf(type));
        Set<String> members = new TreeSet<>(PublicApi::inOrder);
        for (Constructor<?> constructor : type.getDeclaredConstructors()) {
            if (isReachable(constructor, type)) {
                members.add("new " + callOf(constructor));
            }
        }
        for (Class<?> owner : withHiddenParents(type)) {
            for (Method method : owner.getDeclaredMethods()) {
                if (isReachable(method, type) && !OF_EVERY_OBJECT.contains(method.getName())) {
                    members.add(lineOf(method));
                }
            }
            for (Field field : owner.getDeclaredFields()) {
                if (isReachable(field, type)) {
                    members.add(
                            field.isEnumConstant()
                                    ? field.getName()
                                    : modifiersOf(field) + nameOf(field.getGenericType()) + " " + field.getName());
                }
            }
        }
        members.forEach(member -> lines.add("  " + member));
        return lines;
    }

    static Set<String> exportedPackages() {
        try {
            Set<String> names = EXPORTS.matcher(Files.readString(MODULE_INFO))
                    .results()
                    .map(match -> match.group(1))
                    .collect(Collectors.toCollection(TreeSet::new));
            if (names.isEmpty()) {
                throw new IllegalStateException(MODULE_INFO + " exports nothing");
            }
            return names;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static List<Class<?>> classesOf(String packageName) {
        try {
            Path root = Path.of(Cluster.class
                    .getProtectionDomain()
                    .getCodeSource()
                    .getLocation()
                    .toURI());
            try (Stream<Path> files = Files.list(root.resolve(packageName.replace('.', '/')))) {
                List<Class<?>> classes = new ArrayList<>();
                for (Path file : files.sorted().toList()) {
                    String name = file.getFileName().toString();
                    if (name.endsWith(".class") && !name.equals("package-info.class")) {
                        classes.add(Class.forName(packageName + "." + name.replaceFirst("\\.class$", "")));
                    }
                }
                return classes;
            }
        } catch (IOException | URISyntaxException | ClassNotFoundException e) {
            throw new IllegalStateException("cannot read the classes of " + packageName, e);
        }
    }

    private static boolean isReachable(Class<?> type) {
        for (Class<?> current = type; current != null; current = current.getEnclosingClass()) {
            boolean nested = current.getEnclosingClass() != null;
            if (current.isSynthetic() || !isOpen(current.getModifiers(), nested)) {
                return false;
            }
        }
        return true;
    }

    private static boolean isReachable(Member member, Class<?> type) {
        boolean extensible = !Modifier.isFinal(type.getModifiers()) && !type.isSealed();
        return !member.isSynthetic() && isOpen(member.getModifiers(), extensible);
    }

    private static boolean isOpen(int modifiers, boolean protectedCounts) {
        return Modifier.isPublic(modifiers) || protectedCounts && Modifier.isProtected(modifiers);
    }

    private static List<Class<?>> withHiddenParents(Class<?> type) {
        List<Class<?>> owners = new ArrayList<>(List.of(type));
        for (Class<?> parent = type.getSuperclass();
                parent != null && !Modifier.isPublic(parent.getModifiers());
                parent = parent.getSuperclass()) {
            owners.add(parent);
        }
        return owners;
    }

    private static String headOf(Class<?> type) {
        StringBuilder head = new StringBuilder();
        if (type.isSealed()) {
            head.append("sealed ");
        } else if (!type.isInterface() && !type.isEnum() && !type.isRecord()) {
            int modifiers = type.getModifiers();
            head.append(Modifier.isFinal(modifiers) ? "final " : Modifier.isAbstract(modifiers) ? "abstract " : "");
        }
        head.append(kindOf(type)).append(' ').append(nameOf(type)).append(boundsOf(type.getTypeParameters()));
        if (type.isRecord()) {
            head.append(Arrays.stream(type.getRecordComponents())
                    .map(PublicApi::componentOf)
                    .collect(Collectors.joining(", ", "(", ")")));
        }
        Class<?> parent = type.getSuperclass();
        if (parent != null
                && Modifier.isPublic(parent.getModifiers())
                && !Set.of(Object.class, Record.class, Enum.class).contains(parent)) {
            head.append(" extends ").append(nameOf(type.getGenericSuperclass()));
        }
        String interfaces = Arrays.stream(type.getGenericInterfaces())
                .map(PublicApi::nameOf)
                .sorted()
                .collect(Collectors.joining(", "));
        if (!interfaces.isEmpty()) {
            head.append(type.isInterface() ? " extends " : " implements ").append(interfaces);
        }
        if (type.isSealed()) {
            head.append(Arrays.stream(type.getPermittedSubclasses())
                    .map(PublicApi::nameOf)
                    .sorted()
                    .collect(Collectors.joining(", ", " permits ", "")));
        }
        return head.toString();
    }

    private static String kindOf(Class<?> type) {
        if (type.isAnnotation()) {
            return "@interface";
        }
        return type.isInterface() ? "interface" : type.isEnum() ? "enum" : type.isRecord() ? "record" : "class";
    }

    private static String componentOf(RecordComponent component) {
        return nameOf(component.getGenericType()) + " " + component.getName();
    }

    private static String lineOf(Method method) {
        String bounds = boundsOf(method.getTypeParameters());
        return (method.isDefault() ? "default " : modifiersOf(method))
                + (bounds.isEmpty() ? "" : bounds + " ")
                + nameOf(method.getGenericReturnType())
                + " "
                + method.getName()
                + callOf(method);
    }

    private static String callOf(Executable executable) {
        String parameters = Arrays.stream(executable.getGenericParameterTypes())
                .map(PublicApi::nameOf)
                .collect(Collectors.joining(", "));
        if (executable.isVarArgs()) {
            parameters = parameters.replaceFirst("\\[]$", "...");
        }
        String thrown = Arrays.stream(executable.getGenericExceptionTypes())
                .map(PublicApi::nameOf)
                .sorted()
                .collect(Collectors.joining(", "));
        return "(" + parameters + ")" + (thrown.isEmpty() ? "" : " throws " + thrown);
    }

    private static String modifiersOf(Member member) {
        int modifiers = member.getModifiers();
        boolean inInterface = member.getDeclaringClass().isInterface();
        return (Modifier.isProtected(modifiers) ? "protected " : "")
                + (Modifier.isStatic(modifiers) ? "static " : "")
                + (member instanceof Field && Modifier.isFinal(modifiers) ? "final " : "")
                + (Modifier.isAbstract(modifiers) && !inInterface ? "abstract " : "");
    }

    private static String boundsOf(TypeVariable<?>[] variables) {
        if (variables.length == 0) {
            return "";
        }
        return Arrays.stream(variables)
                .map(variable -> variable.getName() + boundOf(variable))
                .collect(Collectors.joining(", ", "<", ">"));
    }

    private static String boundOf(TypeVariable<?> variable) {
        String bounds = Arrays.stream(variable.getBounds())
                .filter(bound -> bound != Object.class)
                .map(PublicApi::nameOf)
                .collect(Collectors.joining(" & "));
        return bounds.isEmpty() ? "" : " extends " + bounds;
    }

    /** Without {@code java.lang}, {@code java.util} and the like, and without the root of our own packages. */
    private static String nameOf(Type type) {
        return type.getTypeName()
                .replaceAll("\\bjava\\.(?:\\w+\\.)+(?=[A-Z])", "")
                .replace("io.gpusched.", "")
                .replace('$', '.');
    }

    /** Constructors, then methods, then fields. */
    private static int inOrder(String left, String right) {
        int byKind = Integer.compare(kindOfMember(left), kindOfMember(right));
        return byKind != 0 ? byKind : left.compareTo(right);
    }

    private static int kindOfMember(String line) {
        return line.startsWith("new ") ? 0 : line.contains("(") ? 1 : 2;
    }
}
