import { createRoute, OpenAPIHono, z } from '@hono/zod-openapi';
import { parseOrThrow } from '@/contract/parse';
import { NewReport, ReportChange, type Report, type ReportRow } from '@/contract/report';
import { changeReport, createReport, deleteReport, listReports, requireReport } from '../reports/store';
import type { Runtime } from '../runtime';
import { answers, refuseInvalid } from './answers';
import { readJsonBody } from './json-body';

const ReportIdParam = z.object({ reportId: z.string().regex(/^\d{1,9}$/, 'expected digits') });

const listRoute = createRoute({
  method: 'get',
  path: '/reports',
  responses: answers<ReportRow[]>('All reports, the last changed first'),
});
const reportRoute = createRoute({
  method: 'get',
  path: '/reports/{reportId}',
  request: { params: ReportIdParam },
  responses: answers<Report>('A report with its blocks'),
});

/** Saved pages of text with live tables, charts and pairs. */
export function reportRoutes({ database }: Runtime): OpenAPIHono {
  const app = new OpenAPIHono({ defaultHook: refuseInvalid });
  app.openapi(listRoute, async (context) => context.json(await listReports(database), 200));
  app.openapi(reportRoute, async (context) =>
    context.json(await requireReport(database, context.req.valid('param').reportId), 200),
  );
  app.post('/reports', async (context) => {
    const { title } = parseOrThrow(NewReport, await readJsonBody(context), 'report');
    return context.json(await createReport(database, title), 201);
  });
  app.put('/reports/:reportId', async (context) => {
    const { reportId } = parseOrThrow(ReportIdParam, context.req.param(), 'param');
    const change = parseOrThrow(ReportChange, await readJsonBody(context), 'report');
    return context.json(await changeReport(database, reportId, change), 200);
  });
  app.delete('/reports/:reportId', async (context) => {
    const { reportId } = parseOrThrow(ReportIdParam, context.req.param(), 'param');
    await deleteReport(database, reportId);
    return context.json({ reportId }, 200);
  });
  return app;
}
