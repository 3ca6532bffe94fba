package io.gpusched.bench.load;

import io.gpusched.model.Resources;
import io.gpusched.workload.GpuRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/** The pods that arrive. On the nodes of {@link Clusters#uniform}, CPU, memory and GPUs run out together. */
public final class Mix {
    private final List<Shape> shapes;

    /** Every shape's index, below 256, as often as its weight says, so that a draw is one look-up. */
    private final byte[] urn;

    private Mix(List<Shape> shapes) {
        this.shapes = shapes;
        this.urn = new byte[shapes.stream().mapToInt(Shape::weight).sum()];
        int next = 0;
        for (int i = 0; i < shapes.size(); i++) {
            for (int k = 0; k < shapes.get(i).weight(); k++) {
                urn[next++] = (byte) i;
            }
        }
    }

    /**
     * Returns the mix of this name: {@code exclusive1}, one whole GPU each; {@code percent30}, 30 percent of one GPU each;
     * {@code wholeNode}, a node each; {@code mixedTrace}, the typical shapes of the openb trace in their proportions, of
     * which CPU and memory run out first; {@code mig}, one partition of an A100 each, small ones more often, for the nodes of
     * {@link Clusters#partitioned}.
     *
     * @throws IllegalArgumentException if there is none
     */
    public static Mix named(String name) {
        return switch (name) {
            case "exclusive1" -> of(new Resources(11_300, 49_152), GpuRequest.exclusive(1));
            case "percent30" -> of(new Resources(4_000, 16_384), GpuRequest.percent(30));
            case "wholeNode" -> of(new Resources(1_000, 1_024), GpuRequest.wholeNode());
            case "mixedTrace" -> new Mix(TypicalShapes.OPENB);
            case "mig" -> mig();
            default ->
                throw new IllegalArgumentException(
                        "mix: expected exclusive1, percent30, wholeNode, mixedTrace or mig" + ", got \"" + name + "\"");
        };
    }

    /**
     * Returns so many shapes that arrive equally often: those of the openb trace, and then the same with a little less CPU
     * and memory each time.
     *
     * @param count 1..256
     */
    public static Mix ofShapes(int count) {
        List<Shape> shapes = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            Shape base = TypicalShapes.OPENB.get(i % TypicalShapes.OPENB.size());
            int round = i / TypicalShapes.OPENB.size();
            Resources less = new Resources(
                    base.resources().cpuMillis() - 50L * round, base.resources().memoryMib() - 64L * round);
            shapes.add(new Shape(less, base.gpu(), 1));
        }
        return new Mix(shapes);
    }

    private static Mix mig() {
        return new Mix(List.of(
                new Shape(new Resources(1_400, 6_144), GpuRequest.partition("1g.5gb", 1), 8),
                new Shape(new Resources(2_800, 12_288), GpuRequest.partition("2g.10gb", 1), 4),
                new Shape(new Resources(5_600, 24_576), GpuRequest.partition("3g.20gb", 1), 2),
                new Shape(new Resources(11_300, 49_152), GpuRequest.partition("7g.40gb", 1), 1)));
    }

    private static Mix of(Resources resources, GpuRequest gpu) {
        return new Mix(List.of(new Shape(resources, gpu, 1)));
    }

    /** Returns the shapes. */
    public List<Shape> shapes() {
        return shapes;
    }

    /** Draws the index of a shape. */
    public int draw(SplittableRandom random) {
        return urn[random.nextInt(urn.length)] & 0xFF;
    }
}
