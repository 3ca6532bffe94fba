package io.gpusched.cli.place;

import io.gpusched.manifests.objects.UnhonouredConstraint;
import io.gpusched.manifests.yaml.YamlNode;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** What the user has to know beside the answer, and what he said may be ignored. Nothing is passed over unnamed. */
final class Notes {
    private final Set<String> ignored;
    private final Set<String> met = new TreeSet<>();
    private final Set<String> places = new HashSet<>();

    /** By field and what they say: where it was met first, and how often. */
    private final Map<String, Warning> warnings = new LinkedHashMap<>();

    private record Warning(String first, int count) {
        Warning again() {
            return new Warning(first, count + 1);
        }

        @Override
        public String toString() {
            return count == 1 ? first : first + " (and " + (count - 1) + " more like it)";
        }
    }

    /** Starts without warnings. */
    Notes(Set<String> ignored) {
        this.ignored = ignored;
    }

    /** Notes something that changes no answer, or that the user said may be ignored. */
    void warn(YamlNode at, String problem) {
        warn(at, "", problem);
    }

    /** Notes something of one of many: what is said of several alike is one line. */
    void warn(YamlNode at, String which, String problem) {
        if (places.add(at.place() + problem)) {
            String alike = at.path().replaceAll("\\[[0-9]+]", "[]") + ": " + problem;
            warnings.merge(alike, new Warning(at.place() + ": " + which + problem, 1), (had, more) -> had.again());
        }
    }

    /** Notes something that stands at no one place. */
    void remark(String text) {
        warnings.put(text, new Warning(text, 1));
    }

    /** Notes that objects of these kinds are not looked at, for they run nothing. */
    void skipped(String file, List<String> kinds) {
        if (!kinds.isEmpty()) {
            String text = file + ": " + kinds.size() + (kinds.size() == 1 ? " object runs" : " objects run")
                    + " nothing and " + (kinds.size() == 1 ? "is" : "are") + " skipped: "
                    + String.join(", ", new TreeSet<>(kinds));
            remark(text);
        }
    }

    /** Returns whether the user said that this may be ignored. */
    boolean isIgnored(String name) {
        return ignored.contains(name);
    }

    /** Returns whether the user said that this may be ignored; if so it is noted. */
    boolean mayIgnore(String name, YamlNode at, String problem) {
        if (!ignored.contains(name)) {
            return false;
        }
        met.add(name);
        warn(at, problem + " (ignored as you asked)");
        return true;
    }

    /**
     * Notes what is not honoured of an object.
     *
     * @throws io.gpusched.manifests.yaml.InputException if something required is not honoured and may not be ignored
     */
    void unhonoured(YamlNode object, List<UnhonouredConstraint> constraints) {
        List<UnhonouredConstraint> left = new ArrayList<>();
        for (UnhonouredConstraint one : constraints) {
            YamlNode at = object.nearest(one.path());
            if (!mayIgnore(one.name(), at, one.problem())) {
                if (one.required()) {
                    left.add(one);
                } else {
                    warn(at, one.problem());
                }
            }
        }
        if (!left.isEmpty()) {
            String options = left.stream()
                    .map(one -> "--ignore " + one.name())
                    .distinct()
                    .collect(Collectors.joining(" "));
            UnhonouredConstraint first = left.get(0);
            throw object.nearest(first.path()).error(first.problem() + ". Maybe go on without it: " + options);
        }
    }

    /** Returns the warnings in the order in which their reasons were met. */
    List<String> warnings() {
        return warnings.values().stream().map(Warning::toString).toList();
    }

    /** Returns a warning for each thing that was to be ignored and was not met in all that was read. */
    List<String> needless() {
        return new TreeSet<>(ignored)
                .stream()
                        .filter(name -> !met.contains(name))
                        .map(name -> "option --ignore " + name + ": nothing of this name was met")
                        .toList();
    }
}
