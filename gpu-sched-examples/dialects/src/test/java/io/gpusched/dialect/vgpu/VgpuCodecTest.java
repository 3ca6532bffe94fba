package io.gpusched.dialect.vgpu;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class VgpuCodecTest {
    private static final VgpuShare SHARE = new VgpuShare("GPU-1", "NVIDIA", 1_000, 30);

    @Test
    void hami_endsEveryContainerWithASemicolon_emptyOnesToo() {
        assertThat(VgpuCodec.encodeHami(List.of(List.of(), List.of(SHARE, SHARE))))
                .isEqualTo(";GPU-1,NVIDIA,1000,30:GPU-1,NVIDIA,1000,30:;");
    }

    @Test
    void volcano_onlySeparatesContainers() {
        assertThat(VgpuCodec.encodeVolcano(List.of(List.of(SHARE), List.of()))).isEqualTo("GPU-1,NVIDIA,1000,30:;");
        assertThat(VgpuCodec.encodeVolcano(List.of(List.of(SHARE)))).isEqualTo("GPU-1,NVIDIA,1000,30:");
    }

    @Test
    void decode_ofHamisText_hasOneEntryForEachContainer() {
        assertThat(VgpuCodec.decode("GPU-1,NVIDIA,1000,30:;;")).containsExactly(List.of(SHARE), List.of());
    }

    @Property
    void decode_ofHamisText_isWhatWasEncoded(@ForAll("containers") List<List<VgpuShare>> containers) {
        assertThat(VgpuCodec.decode(VgpuCodec.encodeHami(containers))).isEqualTo(containers);
    }

    @Property
    void decode_ofVolcanosText_isWhatWasEncoded_unlessItEndsWithContainersWithoutGpu(
            @ForAll("containers") List<List<VgpuShare>> containers) {
        List<List<VgpuShare>> all = new java.util.ArrayList<>(containers);
        all.add(List.of(SHARE));
        assertThat(VgpuCodec.decode(VgpuCodec.encodeVolcano(all))).isEqualTo(all);
    }

    @Provide
    Arbitrary<List<List<VgpuShare>>> containers() {
        Arbitrary<String> uuid = Arbitraries.strings()
                .withCharRange('a', 'f')
                .numeric()
                .ofMinLength(1)
                .ofMaxLength(8);
        Arbitrary<VgpuShare> share = Combinators.combine(
                        uuid,
                        Arbitraries.of("NVIDIA", "MLU"),
                        Arbitraries.longs().between(0, 200_000),
                        Arbitraries.longs().between(0, 100))
                .as(VgpuShare::new);
        return share.list().ofMaxSize(3).list().ofMaxSize(4);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "GPU-0,NVIDIA,abc,30:",
                "GPU-0,NVIDIA,4096,:",
                "GPU-0,NVIDIA:",
                "GPU-0,NVIDIA,-1,30:",
                "GPU-0,NVIDIA,99999999999,30:",
                ",NVIDIA,1,1:",
                "nonsense"
            })
    void decode_ofABadRecord_isAnErrorThatShowsIt(String text) {
        String entry = text.endsWith(":") ? text.substring(0, text.length() - 1) : text;
        assertThatThrownBy(() -> VgpuCodec.decode(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("\"" + entry + "\"")
                .hasMessageContaining("Maybe");
    }

    @Test
    void decodeReadable_keepsWhatItCanRead_andNamesTheRest() {
        VgpuCodec.Decoded decoded = VgpuCodec.decodeReadable("GPU-1,NVIDIA,1000,30:GPU-2,NVIDIA,x,30:;");
        assertThat(decoded.containers()).containsExactly(List.of(SHARE));
        assertThat(decoded.unreadable()).containsExactly("GPU-2,NVIDIA,x,30");
    }

    @Test
    void decode_ofNoText_isNoContainer() {
        assertThat(VgpuCodec.decode("")).isEmpty();
    }
}
