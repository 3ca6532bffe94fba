package io.gpusched.cli;

import io.gpusched.simulator.capacity.CheapestSearch;
import io.gpusched.simulator.capacity.ClusterChange;
import io.gpusched.simulator.capacity.Goal;
import io.gpusched.simulator.capacity.NodeKind;
import io.gpusched.simulator.trace.JobColumns;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** The values of the options of {@code simulate plan}. */
final class PlanOptions {
    private PlanOptions() {}

    /** Reads {@code 64@8xH100}. */
    static final class Growths implements ITypeConverter<CheapestSearch.Growth> {
        @Override
        public CheapestSearch.Growth convert(String text) {
            int at = text.indexOf('@');
            if (at < 1 || at == text.length() - 1) {
                throw new TypeConversionException("must be such as 64@8xH100, got \"" + text + "\"");
            }
            return new CheapestSearch.Growth(
                    new Ranges.NodeCount().convert(text.substring(0, at)), new NodeKind(text.substring(at + 1)));
        }
    }

    /** Reads {@code submit=ts:ms,gpus=n,duration=dur:min}. */
    static final class Columns implements ITypeConverter<JobColumns> {
        @Override
        public JobColumns convert(String text) {
            try {
                return JobColumns.parse(text);
            } catch (IllegalArgumentException e) {
                throw new TypeConversionException(String.valueOf(e.getMessage()));
            }
        }
    }

    /** Reads {@code mean wait < 10m}. */
    static final class Goals implements ITypeConverter<Goal> {
        @Override
        public Goal convert(String text) {
            try {
                return Goal.parse(text);
            } catch (IllegalArgumentException e) {
                throw new TypeConversionException(String.valueOf(e.getMessage()));
            }
        }
    }

    /** Reads {@code -200@V100,+40@8xH100}. */
    static final class Changes implements ITypeConverter<ClusterChange> {
        @Override
        public ClusterChange convert(String text) {
            try {
                return ClusterChange.parse(text);
            } catch (IllegalArgumentException e) {
                throw new TypeConversionException(String.valueOf(e.getMessage()));
            }
        }
    }
}
