import { Fragment } from 'react';
import { Link } from './link';

export interface Crumb {
  title: string;
  /** Absent for what has no page of its own. */
  href?: string;
}

/** The list that every run and trajectory is reached from. */
export const RUNS_CRUMB: Crumb = { title: 'Runs', href: '/runs' };

/** Where a page stands, outermost first. */
export function Crumbs({ trail }: { trail: readonly Crumb[] }) {
  return trail.map(({ title, href }, index) => (
    <Fragment key={index}>
      {index > 0 && ' / '}
      {href === undefined ? (
        title
      ) : (
        <Link href={href} className="no-underline hover:underline">
          {title}
        </Link>
      )}
    </Fragment>
  ));
}
