package io.gpusched.cli;

import java.util.List;
import picocli.CommandLine.ITypeConverter;

/**
 * Names of policies, as the command line gives them; an empty one is a name that no policy has.
 *
 * @param names the names, at least one
 */
record PolicyNames(List<String> names) {
    /** Reads names with commas between them. */
    static final class Converter implements ITypeConverter<PolicyNames> {
        @Override
        public PolicyNames convert(String text) {
            return new PolicyNames(List.of(text.split(",", -1)));
        }
    }
}
