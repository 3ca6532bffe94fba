package io.gpusched.check;

import java.util.Objects;
import java.util.Set;
import java.util.regex.Pattern;

/** Tells which texts name a resource: Kubernetes' {@code IsQualifiedName}, but for resources that have fields of their own. */
public final class ResourceNames {
    private static final int MOST_PREFIX = 253;
    private static final Set<String> FIELDS = Set.of("cpu", "memory", "pods");
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?");
    private static final Pattern SUBDOMAIN =
            Pattern.compile("[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*");

    private ResourceNames() {}

    /**
     * Returns the name.
     *
     * @throws IllegalArgumentException if it is none
     */
    public static String require(String name) {
        Objects.requireNonNull(name, "name");
        if (FIELDS.contains(name)) {
            throw new IllegalArgumentException(
                    "resources: \"" + name + "\" has a field of its own and must not be a named resource");
        }
        int slash = name.indexOf('/');
        boolean prefixed = slash < 0 || slash <= MOST_PREFIX && matches(SUBDOMAIN, name.substring(0, slash));
        if (!prefixed || !matches(NAME, name.substring(slash + 1))) {
            throw new IllegalArgumentException("resources: name must be like ephemeral-storage or example.com/nic"
                    + " (an optional DNS subdomain and a slash, then 1 to 63 letters, digits, '-', '_' or '.', a letter or"
                    + " digit first and last), got \"" + name + "\"");
        }
        return name;
    }

    private static boolean matches(Pattern pattern, String text) {
        return pattern.matcher(text).matches();
    }
}
