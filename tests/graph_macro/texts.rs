//! Functions of `graph!` as text for devices, and what the host hands to these.

crd2idx::graph! {
    param rows: 1..=4096, cols: 1..=4096, stride: 0..=65536;
    dim row = rows : stride, col = cols : 1, group, a;
    flatten sizes;
    Flatten(col, row -> group);
    Split(a -> row, col);

    /// The tile of a group.
    pub fn tile = reverse(group) -> (row, col) as c, cuda, hip, opencl, wgsl;
    /// Parameters that are listed are of the thread.
    pub fn listed = reverse(group, rows) -> (row, col) as cuda;
    /// Nothing is computed per launch.
    pub(crate) fn element = reverse { row, col } -> a as cuda;
    /// Wider than 32 bits.
    pub fn wide = forward(col, row) -> group as opencl, c;
    /// A truth value as a number.
    pub fn inside = valid reverse(group) -> col as cuda;
}

crd2idx::graph! {
    dim t, lane = 8, high;
    Tile(t -> high, lane);
    fn type_of = forward(t) -> (high, lane) as mlir;
}

#[test]
fn each_language_has_its_words() {
    let heads = [
        (TILE_C, "static inline tile_result tile(uint32_t group, const tile_launch launch) {"),
        (TILE_CUDA, "__host__ __device__ __forceinline__ tile_result tile(uint32_t group, const tile_launch launch) {"),
        (TILE_OPENCL, "static inline tile_result tile(uint group, const tile_launch launch) {"),
        (TILE_WGSL, "fn tile(group: u32, launch: TileLaunch) -> TileResult {"),
        (LISTED_CUDA, "listed_result listed(uint32_t group, uint32_t rows) {"),
        (ELEMENT_CUDA, "uint32_t element(uint32_t stride, uint32_t row, uint32_t col) {"),
        (WIDE_C, "static inline uint32_t wide("),
        (INSIDE_CUDA, "inside("),
        (TYPE_OF_MLIR, "#type_of = affine_map<(d0) -> (d0 floordiv 8, d0 mod 8)>"),
    ];
    for (text, head) in heads {
        assert!(text.contains(head), "{text}");
    }
    assert_eq!(TILE_HIP, TILE_CUDA);
    assert!(WIDE_OPENCL.contains("uint wide("), "{WIDE_OPENCL}");
    // The host is in Rust, and the text of the device has none.
    assert!([TILE_C, TILE_CUDA, TILE_OPENCL, TILE_WGSL].iter().all(|text| !text.contains("prepare") && !text.contains("FastDiv")));
}

/// The threads divide by the numbers of the structure as the text does, whose fields stand in the same order.
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
    assert_eq!((wide(3, 2, 100), type_of(19)), (302, (2, 3)));
    assert!(inside(299, 100, 3) && !inside(300, 100, 3));
}
