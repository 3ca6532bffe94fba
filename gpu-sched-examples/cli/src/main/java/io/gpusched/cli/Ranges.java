package io.gpusched.cli;

import io.gpusched.model.Node;
import io.gpusched.simulator.cycle.CycleRule;
import io.gpusched.simulator.cycle.RunTimes;
import io.gpusched.simulator.replay.QueueOrder;
import java.math.BigDecimal;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** The values that options take: numbers with their legal range, both ends included, and names. */
final class Ranges {
    private Ranges() {}

    /** How many runs are played at once. */
    static final class Threads implements ITypeConverter<Integer> {
        @Override
        public Integer convert(String text) {
            return whole(text, 1, 1_024);
        }
    }

    /** How many nodes a made-up cluster has. */
    static final class NodeCount implements ITypeConverter<Integer> {
        @Override
        public Integer convert(String text) {
            return whole(text, 1, 100_000);
        }
    }

    /**
     * Nodes of one kind.
     *
     * @param nodes how many
     * @param gpus the GPUs of each
     */
    record Pool(int nodes, int gpus) {}

    /** Nodes of one kind, such as {@code 100x8}. */
    static final class Pools implements ITypeConverter<Pool> {
        @Override
        public Pool convert(String text) {
            int x = text.indexOf('x');
            int nodes = x < 0 ? 1 : whole(text.substring(0, x), 1, 100_000);
            return new Pool(nodes, whole(text.substring(x + 1), 1, Node.MAX_GPUS));
        }
    }

    /** GPU demand as a multiple of the cluster's. */
    static final class Inflate implements ITypeConverter<Double> {
        @Override
        public Double convert(String text) {
            return decimal(text, "0.1", "10");
        }
    }

    /** How much of a cluster is allocated. */
    static final class Fill implements ITypeConverter<Double> {
        @Override
        public Double convert(String text) {
            return decimal(text, "0.1", "1");
        }
    }

    /** Offered load. */
    static final class Load implements ITypeConverter<Double> {
        @Override
        public Double convert(String text) {
            return decimal(text, "0.01", "10");
        }
    }

    /** How many times as many arrivals. */
    static final class Arrivals implements ITypeConverter<Double> {
        @Override
        public Double convert(String text) {
            return decimal(text, "0.01", "100");
        }
    }

    /** The length of a scheduling cycle in seconds. */
    static final class Interval implements ITypeConverter<Integer> {
        @Override
        public Integer convert(String text) {
            return whole(text, 1, 86_400);
        }
    }

    /** A part of the generated cluster. */
    static final class Scale implements ITypeConverter<Double> {
        @Override
        public Double convert(String text) {
            return decimal(text, "0.001", "1");
        }
    }

    /** How often something happens a day. */
    static final class PerDay implements ITypeConverter<Double> {
        @Override
        public Double convert(String text) {
            return decimal(text, "0", "100000");
        }
    }

    /** How long a node stays out of service. */
    static final class Hours implements ITypeConverter<Double> {
        @Override
        public Double convert(String text) {
            return decimal(text, "0.01", "1000");
        }
    }

    /** The order in which waiting jobs are tried, by its name. */
    static final class Order implements ITypeConverter<QueueOrder> {
        @Override
        public QueueOrder convert(String text) {
            for (QueueOrder order : QueueOrder.values()) {
                if (order.toString().equalsIgnoreCase(text.strip())) {
                    return order;
                }
            }
            throw bad(
                    Arrays.stream(QueueOrder.values()).map(QueueOrder::toString).collect(Collectors.joining(" or ")),
                    text);
        }
    }

    /** A number of GPUs. */
    static final class Gpus implements ITypeConverter<Integer> {
        @Override
        public Integer convert(String text) {
            return whole(text, 0, 1_000_000);
        }
    }

    /** Which jobs may start while a job before them waits, and which job comes before which. */
    static final class CycleRules implements ITypeConverter<Rules> {
        @Override
        public Rules convert(String text) {
            try {
                return new Rules(
                        Stream.of(text.split(",")).map(CycleRule::parse).toList());
            } catch (IllegalArgumentException e) {
                throw new TypeConversionException(String.valueOf(e.getMessage()));
            }
        }
    }

    /** Rules, at least one. */
    record Rules(List<CycleRule> rules) {}

    /** What a scheduler is told of run times. */
    static final class ToldTimes implements ITypeConverter<RunTimes> {
        @Override
        public RunTimes convert(String text) {
            try {
                return RunTimes.parse(text);
            } catch (IllegalArgumentException e) {
                throw new TypeConversionException(String.valueOf(e.getMessage()));
            }
        }
    }

    private static int whole(String text, int least, int most) {
        try {
            int value = Integer.parseInt(text.strip());
            if (value >= least && value <= most) {
                return value;
            }
        } catch (NumberFormatException e) {
            throw bad("a whole number in " + least + ".." + most, text);
        }
        throw bad("in " + least + ".." + most, text);
    }

    private static double decimal(String text, String least, String most) {
        try {
            BigDecimal value = new BigDecimal(text.strip());
            if (value.compareTo(new BigDecimal(least)) >= 0 && value.compareTo(new BigDecimal(most)) <= 0) {
                return value.doubleValue();
            }
        } catch (NumberFormatException e) {
            throw bad("a number in " + least + ".." + most, text);
        }
        throw bad("in " + least + ".." + most, text);
    }

    private static TypeConversionException bad(String legal, String text) {
        return new TypeConversionException("must be " + legal + ", got \"" + text + "\"");
    }
}
