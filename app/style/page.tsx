import type { Metadata } from 'next';
import { StyleScreen } from '@/components/style/style-screen';

export const metadata: Metadata = { title: 'Style sheet' };

export default function StylePage() {
  return <StyleScreen />;
}
