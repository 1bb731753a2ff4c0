/** @type {import('next').NextConfig} */
export default {
  // They load native code or files of their own at run time.
  serverExternalPackages: ['pg', '@prisma/client', '@prisma/adapter-pg', 'onnxruntime-node', 'socket.io'],
  poweredByHeader: false,
  // The server sets security headers and answers `/api/v1` before Next sees a request.
  reactStrictMode: true,
  // Types are checked by `npm run check`; a first start does not wait for them.
  typescript: { ignoreBuildErrors: true },
};
