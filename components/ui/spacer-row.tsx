/** Stands in a table for the rows that are not drawn, `height` in px. */
export function SpacerRow({ height, columns }: { height: number; columns: number }) {
  return height === 0 ? null : (
    <tr aria-hidden>
      <td colSpan={columns} style={{ height }} className="p-0" />
    </tr>
  );
}
