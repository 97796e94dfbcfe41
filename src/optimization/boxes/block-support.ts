/** What the pieces of a block stand on. */

/** Numbers of a leaf, a grid of pieces of one kind and rotation inside a block: kind, sides of a piece, how many each way, its corner in the block. */
export const leafFields = 10

/** `support`: the least share of each base. `bears`: the heaviest piece that may stand on one of a kind; below zero, nothing may. */
export interface StandRules {
  readonly support: number
  readonly weights: Float64Array
  readonly bears: Float64Array
}

/** The upper faces of what is packed: where further pieces may stand. */
export class Tops {
  /** x, y, x, y, height and kind of each face. */
  readonly faces: Int32Array
  count = 0

  constructor(most: number) {
    this.faces = new Int32Array(6 * most)
  }

  copy(other: Tops): void {
    this.faces.set(other.faces.subarray(0, other.count * 6))
    this.count = other.count
  }

  add(leaves: ArrayLike<number>, from: number, to: number, x: number, y: number, z: number): void {
    const { faces } = this
    for (let leaf = from; leaf < to; leaf++) {
      const o = leaf * leafFields
      const f = this.count * 6
      const x0 = x + (leaves[o + 7] ?? 0)
      const y0 = y + (leaves[o + 8] ?? 0)
      faces[f] = x0
      faces[f + 1] = y0
      faces[f + 2] = x0 + (leaves[o + 1] ?? 0) * (leaves[o + 4] ?? 0)
      faces[f + 3] = y0 + (leaves[o + 2] ?? 0) * (leaves[o + 5] ?? 0)
      faces[f + 4] = z + (leaves[o + 9] ?? 0) + (leaves[o + 3] ?? 0) * (leaves[o + 6] ?? 0)
      faces[f + 5] = leaves[o] ?? 0
      this.count++
    }
  }

  /** True when each piece at the bottom of these leaves stands on enough, and on nothing that may not carry it. */
  carry(
    leaves: ArrayLike<number>,
    from: number,
    to: number,
    x: number,
    y: number,
    z: number,
    { support, weights, bears }: StandRules,
  ): boolean {
    const { faces, count } = this
    for (let leaf = from; leaf < to; leaf++) {
      const o = leaf * leafFields
      if ((leaves[o + 9] ?? 0) > 0) continue
      const w = leaves[o + 1] ?? 0
      const l = leaves[o + 2] ?? 0
      const a = leaves[o + 4] ?? 0
      const b = leaves[o + 5] ?? 0
      const x0 = x + (leaves[o + 7] ?? 0)
      const y0 = y + (leaves[o + 8] ?? 0)
      const x1 = x0 + w * a
      const y1 = y0 + l * b
      const weight = weights[leaves[o] ?? 0] ?? 0
      let area = 0
      for (let f = 0; f < count * 6; f += 6) {
        if ((faces[f + 4] ?? 0) !== z) continue
        const wide = Math.min(x1, faces[f + 2] ?? 0) - Math.max(x0, faces[f] ?? 0)
        const long = Math.min(y1, faces[f + 3] ?? 0) - Math.max(y0, faces[f + 1] ?? 0)
        if (wide <= 0 || long <= 0) continue
        if (weight > (bears[faces[f + 5] ?? 0] ?? 0)) return false
        area += wide * long
      }
      const whole = w * l * a * b
      if (area >= whole) continue
      if (area < support * whole) return false
      if (a * b === 1) continue
      for (let i = 0; i < a; i++)
        for (let j = 0; j < b; j++) {
          const px = x0 + i * w
          const py = y0 + j * l
          let own = 0
          for (let f = 0; f < count * 6; f += 6) {
            if ((faces[f + 4] ?? 0) !== z) continue
            const wide = Math.min(px + w, faces[f + 2] ?? 0) - Math.max(px, faces[f] ?? 0)
            const long = Math.min(py + l, faces[f + 3] ?? 0) - Math.max(py, faces[f + 1] ?? 0)
            if (wide > 0 && long > 0) own += wide * long
          }
          if (own < support * w * l) return false
        }
    }
    return true
  }
}
