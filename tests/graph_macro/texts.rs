//! Functions of `graph!` as text for devices, and the numbers that the host passes to them.

crd2idx::graph! {
    param rows: 1..=4096, cols: 1..=4096, stride: 0..=65536;
    dim row = rows : stride, col = cols : 1, group = rows * cols, a;
    flatten sizes;
    Flatten(col, row -> group);
    Split(a -> row, col);

    /// Returns the tile of a group.
    pub fn tile = reverse(group) -> (row, col) as c, cuda, hip, opencl, wgsl;
    /// Takes `rows` from each thread, because the list has it.
    pub fn listed = reverse(group, rows) -> (row, col) as cuda;
    /// Computes nothing per launch.
    pub(crate) fn element = reverse { row, col } -> a as cuda;
    /// Returns the group of a tile.
    pub fn number = forward(col, row) -> group as opencl, c;
}

crd2idx::graph! {
    param m: 1..=65536;
    dim t, lane = 8, high, row = m, block = ceil_div(m, 16), i = 16;
    Tile(t -> high, lane);
    Tile(row -> block, i);
    fn type_of = forward(t) -> (high, lane) as mlir;
    /// Returns a truth value as a number.
    fn inside = valid reverse(block, i) -> row as cuda, wgsl;
}

#[test]
fn each_language_has_its_words() {
    let heads = [
        (TILE_C, "static inline tile_result tile(uint32_t group, const tile_launch launch) {"),
        (TILE_CUDA, "__host__ __device__ __forceinline__ tile_result tile(uint32_t group, const tile_launch launch) {"),
        (TILE_OPENCL, "static inline tile_result tile(uint group, const tile_launch launch) {"),
        (TILE_WGSL, "fn tile(group: u32, launch: TileLaunch) -> TileResult {"),
        (LISTED_CUDA, "listed_result listed(uint32_t rows, uint32_t group) {"),
        (ELEMENT_CUDA, "uint32_t element(uint32_t stride, uint32_t row, uint32_t col) {"),
        (NUMBER_C, "static inline uint32_t number(uint32_t rows, uint32_t col, uint32_t row) {"),
        (INSIDE_CUDA, "inside(uint32_t m, uint32_t block, uint32_t i) {\n    return (uint32_t)(block * 16 + i < m);"),
        (INSIDE_WGSL, "return u32(block * 16 + i < m);"),
        (TYPE_OF_MLIR, "#type_of = affine_map<(d0) -> (d0 floordiv 8, d0 mod 8)>"),
    ];
    for (text, head) in heads {
        assert!(text.contains(head), "{text}");
    }
    assert_eq!(TILE_HIP, TILE_CUDA);
    assert!(NUMBER_OPENCL.contains("uint number("), "{NUMBER_OPENCL}");
    // The host code is in Rust, and the text of the device has none of it.
    assert!([TILE_C, TILE_CUDA, TILE_OPENCL, TILE_WGSL].iter().all(|text| !text.contains("prepare") && !text.contains("FastDiv")));
}

/// The threads divide by the numbers of the structure as the text does. The fields have the same order.
#[test]
fn what_is_known_per_launch_is_the_structure_of_the_text() {
    let fields = TILE_CUDA.split("typedef struct {").nth(1).and_then(|text| text.split('}').next()).expect("a structure");
    let names: Vec<&str> = fields.lines().filter_map(|line| line.trim().strip_prefix("uint32_t ")?.split(';').next()).collect();
    assert_eq!(names, ["rows", "rows_magic", "rows_bias", "rows_shift"]);
    assert_eq!(size_of::<TileLaunch>(), 4 * names.len());
    for rows in [1, 2, 3, 7, 100, 641, 4096] {
        let launch: TileLaunch = tile_prepare(rows);
        for group in [0, 1, 99, 100, 12345, (1 << 24) - 1] {
            let product = u64::from(group) * u64::from(launch.rows_magic) + u64::from(launch.rows_bias);
            let col = ((product >> 32) as u32) >> launch.rows_shift;
            assert_eq!((group - col * launch.rows, col), (group % rows, group / rows));
            assert_eq!(tile(group as usize, rows as usize), ((group % rows) as usize, (group / rows) as usize));
        }
    }
    assert_eq!(listed(1234, 100), (34, 12));
    assert_eq!(element(ElementArgs { row: 2, col: 3, stride: 50 }), 103);
    assert_eq!((number(3, 2, 100), type_of(19)), (302, (2, 3)));
    assert!(inside(2, 3, 36) && !inside(2, 4, 36));
}
