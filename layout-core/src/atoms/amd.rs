//! Instructions of AMD.

use super::Atom;
use super::declare::operand;

const CDNA: &str = "AMD Instinct MI300 (CDNA3) Instruction Set Architecture, Matrix Arithmetic Instructions";
const CDNA4: &str = "AMD Instinct CDNA4 Instruction Set Architecture, Matrix Arithmetic Instructions; mfma_type of Composable Kernel";
const RDNA3: &str = "RDNA3 Instruction Set Architecture, Wave Matrix Multiply Accumulate; AMD Matrix Instruction Calculator";
const RDNA4: &str = "RDNA4 Instruction Set Architecture, Wave Matrix Multiply Accumulate; AMD Matrix Instruction Calculator";

atoms! { OF_WAVES:
    "mfma.16x16x4.f32" "v_mfma_f32_16x16x4_f32", CDNA, 16 16 4 {
        a Mfma16X16X4F32A "((16,4),1):((1,16),0)" (21, 0) => (5, 1);
        b Mfma16X16X4F32B "((16,4),1):((1,16),0)" (21, 0) => (5, 1);
        c Mfma16X16X4F32C "((16,4),4):((16,4),1)" (21, 3) => (7, 5);
    }
    "mfma.16x16x16.f16" "v_mfma_f32_16x16x16_f16 and _bf16", CDNA, 16 16 16 {
        a Mfma16X16X16F16A "((16,4),4):((1,64),16)" (21, 3) => (5, 7);
        b Mfma16X16X16F16B "((16,4),4):((1,64),16)" (21, 3) => (5, 7);
        c Mfma16X16X16F16C "((16,4),4):((16,4),1)" (21, 3) => (7, 5);
    }
    "mfma.32x32x8.f16" "v_mfma_f32_32x32x8_f16 and _bf16", CDNA, 32 32 8 {
        a Mfma32X32X8F16A "((32,2),4):((1,128),32)" (21, 3) => (21, 3);
        b Mfma32X32X8F16B "((32,2),4):((1,128),32)" (21, 3) => (21, 3);
        c Mfma32X32X8F16C "((32,2),(4,4)):((32,4),(1,8))" (21, 6) => (10, 21);
    }
    "mfma.16x16x4.f64" "v_mfma_f64_16x16x4_f64", CDNA, 16 16 4 {
        a "((16,4),1):((1,16),0)";
        b "((16,4),1):((1,16),0)";
        c Mfma16X16X4F64C "((16,4),4):((16,1),4)" (21, 3) => (13, 5);
    }
    "mfma.16x16x32.i8" "v_mfma_i32_16x16x32_i8, and _f32_ of fp8 and bf8", CDNA, 16 16 32 {
        a Mfma16X16X32I8A "((16,4),8):((1,128),16)" (21, 3) => (5, 11);
        b Mfma16X16X32I8B "((16,4),8):((1,128),16)" (21, 3) => (5, 11);
        c "((16,4),4):((16,4),1)";
    }
    "mfma.32x32x16.i8" "v_mfma_i32_32x32x16_i8, and _f32_ of fp8 and bf8", CDNA, 32 32 16 {
        a Mfma32X32X16I8A "((32,2),8):((1,256),32)" (37, 3) => (5, 11);
        b Mfma32X32X16I8B "((32,2),8):((1,256),32)" (37, 3) => (5, 11);
        c "((32,2),(4,4)):((32,4),(1,8))";
    }
    "mfma.16x16x32.f16" "v_mfma_f32_16x16x32_f16 and _bf16", CDNA4, 16 16 32 {
        a "((16,4),8):((1,128),16)";
        b "((16,4),8):((1,128),16)";
        c "((16,4),4):((16,4),1)";
    }
    "mfma.32x32x16.f16" "v_mfma_f32_32x32x16_f16 and _bf16", CDNA4, 32 32 16 {
        a "((32,2),8):((1,256),32)";
        b "((32,2),8):((1,256),32)";
        c "((32,2),(4,4)):((32,4),(1,8))";
    }
    "wmma.rdna3.16x16x16.f16" "v_wmma_f32_16x16x16_f16 and _bf16 of RDNA3 with 32 lanes", RDNA3, 16 16 16 {
        a WmmaRdna3A "((16,2),16):((1,0),16)" (21, 3) => (5, 3);
        b WmmaRdna3B "((16,2),16):((1,0),16)" (21, 3) => (5, 3);
        c WmmaRdna3C "((16,2),8):((16,1),2)" (21, 3) => (7, 5);
    }
    "wmma.rdna3.16x16x16.i8" "v_wmma_i32_16x16x16_iu8 and _iu4 of RDNA3 with 32 lanes", RDNA3, 16 16 16 {
        a "((16,2),16):((1,0),16)";
        b "((16,2),16):((1,0),16)";
        c "((16,2),8):((16,1),2)";
    }
    "wmma.rdna3.wave64.16x16x16.f16" "v_wmma_f32_16x16x16_f16 and _bf16 of RDNA3 with 64 lanes", RDNA3, 16 16 16 {
        a WmmaRdna3Wave64A "((16,4),16):((1,0),16)" (37, 3) => (5, 3);
        b WmmaRdna3Wave64B "((16,4),16):((1,0),16)" (37, 3) => (5, 3);
        c WmmaRdna3Wave64C "((16,4),4):((16,1),4)" (37, 3) => (14, 5);
    }
    "wmma.rdna3.wave64.16x16x16.i8" "v_wmma_i32_16x16x16_iu8 and _iu4 of RDNA3 with 64 lanes", RDNA3, 16 16 16 {
        a "((16,4),16):((1,0),16)";
        b "((16,4),16):((1,0),16)";
        c "((16,4),4):((16,1),4)";
    }
    "wmma.rdna4.16x16x16.f16" "v_wmma_f32_16x16x16_f16 and _bf16 of RDNA4 with 32 lanes", RDNA4, 16 16 16 {
        a WmmaRdna4F16A "((16,2),(4,2)):((1,64),(16,128))" (21, 5) => (5, 13);
        b WmmaRdna4F16B "((16,2),(4,2)):((1,64),(16,128))" (21, 5) => (5, 13);
        c WmmaRdna4C "((16,2),8):((16,8),1)" (21, 3) => (11, 5);
    }
    "wmma.rdna4.16x16x16.i8" "v_wmma_i32_16x16x16_iu8 and _iu4, and _f32_ of fp8 and bf8, of RDNA4 with 32 lanes", RDNA4, 16 16 16 {
        a WmmaRdna4I8A "((16,2),8):((1,128),16)" (21, 3) => (5, 11);
        b WmmaRdna4I8B "((16,2),8):((1,128),16)" (21, 3) => (5, 11);
        c "((16,2),8):((16,8),1)";
    }
    "wmma.rdna4.16x16x32.i4" "v_wmma_i32_16x16x32_iu4 of RDNA4 with 32 lanes", RDNA4, 16 16 32 {
        a WmmaRdna4I4A "((16,2),16):((1,256),16)" (21, 3) => (5, 19);
        b WmmaRdna4I4B "((16,2),16):((1,256),16)" (21, 3) => (5, 19);
        c "((16,2),8):((16,8),1)";
    }
    "wmma.rdna4.wave64.16x16x16.f16" "v_wmma_f32_16x16x16_f16 and _bf16 of RDNA4 with 64 lanes", RDNA4, 16 16 16 {
        a WmmaRdna4Wave64F16A "((16,4),4):((1,64),16)" (37, 3) => (5, 11);
        b WmmaRdna4Wave64F16B "((16,4),4):((1,64),16)" (37, 3) => (5, 11);
        c WmmaRdna4Wave64C "((16,2,2),4):((16,8,4),1)" (37, 3) => (7, 5);
    }
    "wmma.rdna4.wave64.16x16x16.i8" "v_wmma_i32_16x16x16_iu8 and _iu4, and _f32_ of fp8 and bf8, of RDNA4 with 64 lanes", RDNA4, 16 16 16 {
        a WmmaRdna4Wave64I8A "((16,2,2),4):((1,128,64),16)" (37, 3) => (5, 7);
        b WmmaRdna4Wave64I8B "((16,2,2),4):((1,128,64),16)" (37, 3) => (5, 7);
        c "((16,2,2),4):((16,8,4),1)";
    }
    "wmma.rdna4.wave64.16x16x32.i4" "v_wmma_i32_16x16x32_iu4 of RDNA4 with 64 lanes", RDNA4, 16 16 32 {
        a WmmaRdna4Wave64I4A "((16,2,2),8):((1,256,128),16)" (37, 3) => (5, 11);
        b WmmaRdna4Wave64I4B "((16,2,2),8):((1,256,128),16)" (37, 3) => (5, 11);
        c "((16,2,2),4):((16,8,4),1)";
    }
}

pub(super) const KINDS: [&[Atom]; 1] = [OF_WAVES];
