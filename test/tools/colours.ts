// Contrast of colours (WCAG 2), and the distance of two colours with normal and with colour-blind vision.

export type Rgb = readonly [red: number, green: number, blue: number]

export const rgbOf = (hex: string): Rgb => {
  const digits = /^#([0-9a-f]{6})$/i.exec(hex)?.[1]
  if (digits === undefined) throw new Error(`${hex} is not a colour of six hex digits, such as #1d2529`)
  return [0, 2, 4].map((at) => Number.parseInt(digits.slice(at, at + 2), 16) / 255) as unknown as Rgb
}

const linear = (part: number): number => (part <= 0.040_45 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4)
const linearOf = (colour: Rgb): Rgb => colour.map(linear) as unknown as Rgb
const times = (matrix: readonly Rgb[], [x, y, z]: Rgb): Rgb => matrix.map(([a, b, c]) => a * x + b * y + c * z) as unknown as Rgb

const luminance = (colour: Rgb): number => {
  const [red, green, blue] = linearOf(colour)
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

/** Contrast ratio, 1 to 21. */
export const contrastOf = (a: Rgb, b: Rgb): number => {
  const [light = 0, dark = 0] = [luminance(a), luminance(b)].sort((x, y) => y - x)
  return (light + 0.05) / (dark + 0.05)
}

/** Matrices on linear RGB by vision: Machado, Oliveira and Fernandes 2009, severity 1.0. */
export const EYES: Readonly<Record<string, readonly Rgb[]>> = {
  'all cones': [
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
  ],
  protanopia: [
    [0.152_286, 1.052_583, -0.204_868],
    [0.114_503, 0.786_281, 0.099_216],
    [-0.003_882, -0.048_116, 1.051_998],
  ],
  deuteranopia: [
    [0.367_322, 0.860_646, -0.227_968],
    [0.280_085, 0.672_501, 0.047_413],
    [-0.011_82, 0.042_94, 0.968_881],
  ],
}

const TO_XYZ: readonly Rgb[] = [
  [0.412_456, 0.357_576, 0.180_438],
  [0.212_673, 0.715_152, 0.072_175],
  [0.019_334, 0.119_192, 0.950_304],
]
const WHITE: Rgb = [0.950_47, 1, 1.088_83]

const labOf = (light: Rgb): Rgb => {
  const [x, y, z] = times(TO_XYZ, light.map((part) => Math.min(1, Math.max(0, part))) as unknown as Rgb).map((part, n) => {
    const share = part / (WHITE[n] as number)
    return share > 216 / 24_389 ? Math.cbrt(share) : (share * (24_389 / 27) + 16) / 116
  }) as unknown as Rgb
  return [116 * y - 16, 500 * (x - y), 200 * (y - z)]
}

/** Distance in CIE L*a*b* (1976): 2.3 is just noticeable side by side. */
export const distanceOf = (a: Rgb, b: Rgb, eye: readonly Rgb[]): number => {
  const [one, other] = [a, b].map((colour) => labOf(times(eye, linearOf(colour)))) as [Rgb, Rgb]
  return Math.hypot(...one.map((part, n) => part - (other[n] as number)))
}
