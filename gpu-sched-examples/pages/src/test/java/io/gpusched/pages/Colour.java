package io.gpusched.pages;

/**
 * A colour in linear light.
 *
 * @param red 0..1
 * @param green 0..1
 * @param blue 0..1
 */
record Colour(double red, double green, double blue) {
    /** Kinds of eyes, by the simulation of Machado, Oliveira and Fernandes (2009) at full severity. */
    enum Eye {
        NORMAL(1, 0, 0, 0, 1, 0, 0, 0, 1),
        PROTANOPE(0.152286, 1.052583, -0.204868, 0.114503, 0.786281, 0.099216, -0.003882, -0.048116, 1.051998),
        DEUTERANOPE(0.367322, 0.860646, -0.227968, 0.280085, 0.672501, 0.047413, -0.011820, 0.042940, 0.968881),
        TRITANOPE(1.255528, -0.076749, -0.178779, -0.078411, 0.930809, 0.147602, 0.004733, 0.691367, 0.303900);

        private final double[] matrix;

        Eye(double... matrix) {
            this.matrix = matrix;
        }
    }

    /** Reads {@code #rrggbb}. */
    static Colour parse(String hex) {
        return new Colour(linear(hex.substring(1, 3)), linear(hex.substring(3, 5)), linear(hex.substring(5, 7)));
    }

    private static double linear(String hex) {
        double value = Integer.parseInt(hex, 16) / 255.0;
        return value <= 0.04045 ? value / 12.92 : Math.pow((value + 0.055) / 1.055, 2.4);
    }

    /** Returns what this kind of eye sees. */
    Colour seenBy(Eye eye) {
        return new Colour(row(eye, 0), row(eye, 3), row(eye, 6));
    }

    private double row(Eye eye, int at) {
        double sum = eye.matrix[at] * red + eye.matrix[at + 1] * green + eye.matrix[at + 2] * blue;
        return Math.max(0, Math.min(1, sum));
    }

    private double luminance() {
        return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
    }

    /** Returns the contrast ratio of WCAG, 1..21. */
    double contrast(Colour other) {
        double lighter = Math.max(luminance(), other.luminance());
        double darker = Math.min(luminance(), other.luminance());
        return (lighter + 0.05) / (darker + 0.05);
    }

    /** Returns the distance in CIE L*a*b* (1976); a difference of 2.3 is just noticeable. */
    double distance(Colour other) {
        double[] mine = lab();
        double[] its = other.lab();
        return Math.sqrt(Math.pow(mine[0] - its[0], 2) + Math.pow(mine[1] - its[1], 2) + Math.pow(mine[2] - its[2], 2));
    }

    private double[] lab() {
        double x = curve((0.4124 * red + 0.3576 * green + 0.1805 * blue) / 0.9505);
        double y = curve(luminance());
        double z = curve((0.0193 * red + 0.1192 * green + 0.9505 * blue) / 1.089);
        return new double[] {116 * y - 16, 500 * (x - y), 200 * (y - z)};
    }

    private static double curve(double value) {
        return value > 0.008856 ? Math.cbrt(value) : 7.787 * value + 16.0 / 116;
    }
}
